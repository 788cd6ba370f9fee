"""Names of sections in decision records and design notes, as data: seven languages, one row each.

`kinds_of` gives the kinds of section that a heading can begin. Headings are compared without numbers, accents, capitals
and "and".
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

SectionKind = Literal[
    "options",
    "alternatives",
    "pros_and_cons",
    "aspect",
    "drivers",
    "goals",
    "question",
    "context",
    "introduction",
    "outcome",
    "proposal",
    "afterwards",
    "status",
    "reference",
    "title",
    "record",
]
"""`alternatives` usually omit the proposal; an `aspect` of an option is no option, such as "Pros"."""


class SectionNames(NamedTuple):
    """Nouns, separated by bars, with the words that can come before and after each of them."""

    nouns: str
    before: str = ""
    after: str = ""


# Order of the languages: English, German, Spanish, French, Portuguese, Italian, Dutch.
SECTION_NAMES: Mapping[SectionKind, tuple[SectionNames, ...]] = {
    "options": (
        SectionNames(
            "options|options were|solutions|positions|approaches|candidates|choices|possibilities|option considered"
            "|considered option",
            "considered|possible|proposed|available|evaluated|candidate|design|solution|implementation|architectural"
            "|technical|potential|viable|decision|the|our|all|list of|overview of",
            "considered|evaluated|explored|analyzed|analysed|investigated|reviewed|discussed|available|overview"
            "|under consideration|to consider|we considered|that we considered",
        ),
        SectionNames(
            "optionen|lösungen|möglichkeiten|varianten|ansätze|kandidaten|lösungsoptionen|lösungsvarianten"
            "|lösungsansätze|lösungsmöglichkeiten|handlungsoptionen|entscheidungsoptionen",
            "betrachtete|erwogene|mögliche|geprüfte|untersuchte|bewertete|verfügbare|diskutierte|die|unsere",
            "im überblick|zur auswahl|die wir betrachtet haben|waren|standen zur wahl",
        ),
        SectionNames(
            "opciones|soluciones|posibilidades|candidatos|enfoques|propuestas",
            "posibles|las|los|nuestras",
            "consideradas|considerados|evaluadas|evaluados|analizadas|estudiadas|contempladas|posibles|propuestas"
            "|disponibles|de solución|de diseño|en consideración",
        ),
        SectionNames(
            "options|solutions|possibilités|candidats|approches|pistes|choix",
            "les|nos|différentes",
            "envisagées|envisagés|considérées|considérés|étudiées|étudiés|évaluées|évalués|examinées|analysées"
            "|possibles|proposées|disponibles|de solution",
        ),
        SectionNames(
            "opções|soluções|possibilidades|candidatos|candidatas|abordagens",
            "possíveis|as|os|nossas",
            "consideradas|considerados|avaliadas|avaliados|analisadas|estudadas|possíveis|propostas|disponíveis"
            "|de solução|em consideração",
        ),
        SectionNames(
            "opzioni|soluzioni|possibilità|candidati|approcci",
            "possibili|le|gli|nostre",
            "considerate|considerati|valutate|valutati|esaminate|analizzate|possibili|proposte|disponibili"
            "|prese in considerazione|prese in esame",
        ),
        SectionNames(
            "opties|oplossingen|mogelijkheden|keuzes|varianten|kandidaten|keuzemogelijkheden|oplossingsrichtingen",
            "overwogen|mogelijke|beschouwde|onderzochte|beoordeelde|beschikbare|besproken|de|onze",
            "overwogen|ter overweging",
        ),
    ),
    "alternatives": (
        SectionNames(
            "alternatives|alternative options|alternative solutions|alternative approaches|other options"
            "|other solutions|other approaches|rejected options|rejected solutions|rejected approaches|rejected ideas"
            "|discarded options|options rejected|options not chosen|alternative considered|considered alternative",
            "considered|possible|evaluated|proposed|rejected|discarded|other|main|potential|the|our|list of|rationale",
            "considered|evaluated|explored|analyzed|analysed|investigated|reviewed|discussed|rejected|discarded"
            "|dismissed|not chosen|to consider|under consideration|we considered|that we considered|but rejected",
        ),
        SectionNames(
            "alternativen|lösungsalternativen|andere optionen|andere lösungen|verworfene optionen|abgelehnte optionen",
            "betrachtete|erwogene|mögliche|geprüfte|untersuchte|bewertete|verworfene|abgelehnte|andere|weitere|die",
            "im überblick",
        ),
        SectionNames(
            "alternativas|otras opciones|opciones descartadas|opciones rechazadas",
            "posibles|otras|las",
            "consideradas|evaluadas|analizadas|estudiadas|contempladas|descartadas|rechazadas|posibles",
        ),
        SectionNames(
            "alternatives|autres options|options écartées|options rejetées",
            "autres|les",
            "envisagées|considérées|étudiées|évaluées|examinées|analysées|écartées|rejetées|possibles",
        ),
        SectionNames(
            "alternativas|outras opções|opções descartadas|opções rejeitadas",
            "possíveis|outras|as",
            "consideradas|avaliadas|analisadas|estudadas|descartadas|rejeitadas|possíveis",
        ),
        SectionNames(
            "alternative|altre opzioni|opzioni scartate",
            "possibili|altre|le",
            "considerate|valutate|esaminate|analizzate|scartate|possibili|prese in considerazione",
        ),
        SectionNames(
            "alternatieven|andere opties|afgewezen opties|verworpen opties",
            "overwogen|mogelijke|beschouwde|onderzochte|afgewezen|andere|de",
            "overwogen",
        ),
    ),
    "pros_and_cons": (
        SectionNames(
            "pros and cons|comparison of options|comparison of the options|comparison of alternatives"
            "|comparison of the alternatives|evaluation of options|evaluation of the options|evaluation of alternatives"
            "|analysis of options|analysis of the options|analysis of alternatives|options analysis|options comparison"
            "|description of options|description of the options|description the options|details of the options",
            "",
            "of options|of the options|of alternatives|of the alternatives|of solutions|of the solutions"
            "|of considered options|of the considered options|for the options",
        ),
        SectionNames(
            "vor und nachteile|pro und contra|pro und kontra|bewertung der optionen|bewertung der alternativen"
            "|vergleich der optionen|vergleich der alternativen|beschreibung der optionen",
            "",
            "der optionen|der alternativen|der varianten|der lösungen|der betrachteten optionen",
        ),
        SectionNames(
            "ventajas y desventajas|ventajas e inconvenientes|pros y contras|comparación de las opciones"
            "|comparación de opciones|comparación de alternativas|evaluación de las opciones",
            "",
            "de las opciones|de las alternativas|de opciones",
        ),
        SectionNames(
            "avantages et inconvénients|pour et contre|comparaison des options|comparaison des alternatives"
            "|évaluation des options",
            "",
            "des options|des alternatives|des solutions",
        ),
        SectionNames(
            "prós e contras|pros e contras|vantagens e desvantagens|comparação das opções|comparação das alternativas"
            "|avaliação das opções",
            "",
            "das opções|das alternativas|de opções",
        ),
        SectionNames(
            "pro e contro|vantaggi e svantaggi|confronto delle opzioni|confronto tra le opzioni"
            "|valutazione delle opzioni",
            "",
            "delle opzioni|delle alternative|delle soluzioni",
        ),
        SectionNames(
            "voor en nadelen|voors en tegens|vergelijking van de opties|beoordeling van de opties",
            "",
            "van de opties|van opties|van de alternatieven",
        ),
    ),
    "aspect": (
        SectionNames(
            "pros|pro|cons|con|pros cons|pros and cons|advantages|disadvantages|advantage|disadvantage|advantages and"
            " disadvantages|benefits|benefit|drawbacks|drawback|upsides|downsides|upside|downside|good|bad|neutral"
            "|positive|negative|positives|negatives|strengths|weaknesses|tradeoffs|trade offs|limitations|risks|risk"
            "|reason|reasons|rationale|reasoning|why|why not|why rejected|rejected because|rejection reason|reason for"
            " rejection|rejected|rejection|verdict|impact|effort|cost|costs|complexity|description|details|note|notes"
            "|example|examples|summary|conclusion|implementation|how it works|considerations|questions|assessment",
        ),
        SectionNames(
            "vorteile|vorteil|nachteile|nachteil|vor und nachteile|pro|contra|kontra|gut|schlecht|positiv|negativ"
            "|risiken|begründung|grund|gründe|warum|warum nicht|verworfen weil|beschreibung|hinweis|hinweise|beispiel"
            "|beispiele|fazit|aufwand|kosten|bewertung",
        ),
        SectionNames(
            "ventajas|ventaja|desventajas|desventaja|inconvenientes|a favor|en contra|pros y contras|contras|riesgos"
            "|motivo|motivos|razón|razones|por qué no|descripción|nota|notas|ejemplo|ejemplos|coste|costo",
        ),
        SectionNames(
            "avantages|avantage|inconvénients|inconvénient|pour|contre|avantages et inconvénients|risques|raison"
            "|raisons|motif|pourquoi pas|description|remarque|remarques|exemple|exemples|coût",
        ),
        SectionNames(
            "vantagens|vantagem|desvantagens|desvantagem|prós|contras|prós e contras|a favor|contra|riscos|motivo"
            "|motivos|razão|razões|por que não|descrição|nota|notas|exemplo|exemplos|custo",
        ),
        SectionNames(
            "vantaggi|vantaggio|svantaggi|svantaggio|pro|contro|pro e contro|rischi|motivo|motivi|perché no|descrizione"
            "|nota|note|esempio|esempi|costo",
        ),
        SectionNames(
            "voordelen|voordeel|nadelen|nadeel|voor en nadelen|voor|tegen|risico s|reden|redenen|waarom niet"
            "|beschrijving|opmerking|opmerkingen|voorbeeld|voorbeelden|kosten",
        ),
    ),
    "drivers": (
        SectionNames(
            "drivers|forces|criteria|quality attributes|quality goals|decision factors|key factors|deciding factors",
            "key|main|architectural|the|our|decision|evaluation|assessment|selection|comparison|success|quality",
        ),
        SectionNames(
            "entscheidungstreiber|treiber|einflussfaktoren|kriterien|entscheidungskriterien|bewertungskriterien"
            "|auswahlkriterien|entscheidungsfaktoren|qualitätsziele|qualitätsmerkmale",
            "die|unsere|wichtige|wesentliche",
        ),
        SectionNames(
            "factores de decisión|factores determinantes|factores clave|impulsores|criterios|atributos de calidad"
            "|motivadores",
            "los|principales",
            "de decisión|de la decisión|de evaluación|de selección",
        ),
        SectionNames(
            "facteurs de décision|facteurs déterminants|facteurs clés|moteurs|critères|forces|attributs de qualité",
            "les|principaux",
            "de décision|de la décision|d'évaluation|de choix|de sélection|décisifs",
        ),
        SectionNames(
            "fatores de decisão|fatores determinantes|fatores chave|direcionadores|motivadores|critérios"
            "|atributos de qualidade",
            "os|principais",
            "de decisão|da decisão|de avaliação|de seleção",
        ),
        SectionNames(
            "fattori decisionali|fattori di decisione|fattori determinanti|fattori chiave|driver|driver decisionali"
            "|criteri|attributi di qualità",
            "i|principali",
            "di decisione|della decisione|decisionali|di valutazione|di scelta|di selezione",
        ),
        SectionNames(
            "beslissingsfactoren|besluitvormingsfactoren|beslisfactoren|drijfveren|criteria|beslissingscriteria"
            "|besliscriteria|beoordelingscriteria|afwegingscriteria|kwaliteitsdoelen",
            "de|onze|belangrijkste",
        ),
    ),
    "goals": (
        SectionNames(
            "requirements|goals|objectives|principles|constraints",
            "key|main|nonfunctional|non functional|functional|design|the|our|project",
        ),
        SectionNames("anforderungen|ziele|prinzipien|grundsätze|rahmenbedingungen|randbedingungen", "die|unsere"),
        SectionNames("requisitos|objetivos|principios|restricciones", "los|las|principales"),
        SectionNames("exigences|objectifs|principes|contraintes", "les|principales|principaux"),
        SectionNames("requisitos|objetivos|princípios|restrições", "os|as|principais"),
        SectionNames("requisiti|obiettivi|principi|vincoli", "i|gli|principali"),
        SectionNames("eisen|vereisten|doelen|doelstellingen|uitgangspunten|randvoorwaarden", "de|onze"),
    ),
    "question": (
        SectionNames("question|decision to make|decision to be made|problem|issue", "the|key|open|decision"),
        SectionNames("frage|entscheidungsfrage|fragestellung|problem", "die|das|offene"),
        SectionNames("pregunta|cuestión|problema", "la|el"),
        SectionNames("question|problème|problématique", "la|le"),
        SectionNames("pergunta|questão|problema", "a|o"),
        SectionNames("domanda|questione|problema", "la|il"),
        SectionNames("vraag|vraagstelling|probleem", "de|het"),
    ),
    "context": (
        SectionNames("context|background|problem|problem statement|issue", "the|decision", "statement"),
        SectionNames("kontext|ausgangslage|problemstellung|problem|hintergrund", "der|die|das"),
        SectionNames(
            "contexto|antecedentes|problema|planteamiento del problema|definición del problema"
            "|descripción del problema",
            "el",
        ),
        SectionNames(
            "contexte|problème|énoncé du problème|description du problème|problématique",
            "le|la",
        ),
        SectionNames(
            "contexto|problema|declaração do problema|definição do problema|descrição do problema"
            "|enunciado do problema",
            "o",
        ),
        SectionNames(
            "contesto|problema|descrizione del problema|definizione del problema|dichiarazione del problema",
            "il",
        ),
        SectionNames("context|achtergrond|probleem|probleemstelling|probleembeschrijving|aanleiding", "de|het"),
    ),
    "introduction": (
        SectionNames("motivation|summary|introduction|overview|abstract", "the|executive"),
        SectionNames("motivation|einleitung|zusammenfassung|überblick"),
        SectionNames("motivación|introducción|resumen"),
        SectionNames("motivation|introduction|résumé"),
        SectionNames("motivação|introdução|resumo"),
        SectionNames("motivazione|introduzione|sommario"),
        SectionNames("motivatie|inleiding|samenvatting"),
    ),
    "outcome": (
        SectionNames(
            "decision|decisions|decision outcome|decision result|outcome|resolution|chosen option|chosen solution"
            "|chosen alternative|selected option|decision made",
            "the|final|our",
        ),
        SectionNames(
            "entscheidung|entscheidungsergebnis|ergebnis|ergebnis der entscheidung|gewählte option|gewählte lösung"
            "|beschluss",
            "die|unsere",
        ),
        SectionNames(
            "decisión|decisión tomada|resultado|resultado de la decisión|resolución|opción elegida|opción seleccionada",
            "la",
        ),
        SectionNames(
            "décision|résultat|résultat de la décision|décision retenue|décision prise|option retenue|solution retenue"
            "|option choisie",
            "la",
        ),
        SectionNames(
            "decisão|decisão tomada|resultado|resultado da decisão|resolução|opção escolhida|opção selecionada",
            "a",
        ),
        SectionNames(
            "decisione|decisione presa|esito|esito della decisione|risultato|risultato della decisione|opzione scelta"
            "|soluzione scelta",
            "la",
        ),
        SectionNames("beslissing|besluit|uitkomst|resultaat|gekozen optie|gekozen oplossing", "de|het|ons|onze"),
    ),
    "proposal": (
        SectionNames(
            "proposal|proposed solution|proposed decision|proposed approach|proposed change|proposed design"
            "|recommendation|recommended option|recommended approach|preferred option|solution|design|detailed design"
            "|design details|technical design|specification|guide level explanation|reference level explanation",
            "the|our",
        ),
        SectionNames("vorschlag|lösungsvorschlag|empfehlung|lösung|bevorzugte option", "der|die|unser"),
        SectionNames("propuesta|solución|solución propuesta|recomendación", "la"),
        SectionNames("proposition|solution|solution proposée|recommandation", "la"),
        SectionNames("proposta|solução|solução proposta|recomendação", "a"),
        SectionNames("proposta|soluzione|soluzione proposta|raccomandazione", "la"),
        SectionNames("voorstel|oplossing|voorgestelde oplossing|aanbeveling", "het|de"),
    ),
    "afterwards": (
        SectionNames("consequences|confirmation|validation|implications|history", "positive|negative|the"),
        SectionNames("konsequenzen|folgen|auswirkungen|bestätigung|verlauf", "positive|negative"),
        SectionNames("consecuencias|confirmación|validación|implicaciones", "", "positivas|negativas"),
        SectionNames("conséquences|confirmation|validation|implications", "", "positives|négatives"),
        SectionNames("consequências|confirmação|validação|implicações", "", "positivas|negativas"),
        SectionNames("conseguenze|conferma|validazione|implicazioni", "", "positive|negative"),
        SectionNames("gevolgen|consequenties|bevestiging|validatie", "positieve|negatieve"),
    ),
    "status": (
        SectionNames("status", "the|current|decision"),
        SectionNames("status|stand", "der"),
        SectionNames("estado", "el"),
        SectionNames("statut|état", "le"),
        SectionNames("status|estado|situação", "o"),
        SectionNames("stato", "lo"),
        SectionNames("status|stand", "de"),
    ),
    "reference": (
        SectionNames("references|links|contents|table of contents|license|licence|copyright|metadata"),
        SectionNames("verweise|links|quellen|referenzen|inhalt|inhaltsverzeichnis|lizenz|metadaten"),
        SectionNames("referencias|enlaces|contenido|índice|licencia|metadatos"),
        SectionNames("références|liens|sommaire|table des matières|licence|métadonnées"),
        SectionNames("referências|links|conteúdo|sumário|índice|licença|metadados"),
        SectionNames("riferimenti|collegamenti|link|indice|licenza|metadati"),
        SectionNames("referenties|verwijzingen|links|inhoud|inhoudsopgave|licentie|metadata"),
    ),
    "title": (
        SectionNames("title|decision title|name|subject"),
        SectionNames("titel|thema"),
        SectionNames("título"),
        SectionNames("titre"),
        SectionNames("título"),
        SectionNames("titolo"),
        SectionNames("titel|onderwerp"),
    ),
    "record": (
        SectionNames(
            "adr|rfc|architecture decision record|architectural decision record|any decision record|decision record"
            "|architecture decision|architecture decisions|architectural decision|architectural decisions|decision log"
            "|design doc|design document|design note|request for comments|minutes|minutes of meeting|meeting minutes"
            "|meeting notes",
            "an|the",
            "template|adr|of the meeting",
        ),
        SectionNames(
            "architekturentscheidung|architekturentscheidungen|entscheidungsprotokoll|designdokument|besprechungsprotokoll"
            "|sitzungsprotokoll"
        ),
        SectionNames(
            "registro de decisión de arquitectura|decisión de arquitectura|decisiones de arquitectura|acta",
            "",
            "de reunión",
        ),
        SectionNames(
            "décision d'architecture|décisions d'architecture|registre de décision d'architecture|compte rendu"
        ),
        SectionNames(
            "registro de decisão de arquitetura|decisão de arquitetura|decisões de arquitetura|ata|ata de reunião"
        ),
        SectionNames(
            "decisione architetturale|decisioni architetturali|registro delle decisioni|verbale|verbale della riunione"
        ),
        SectionNames("architectuurbeslissing|architectuurbesluit|architectuurbeslissingen|notulen"),
    ),
}

CHOSEN = (
    "chosen|selected|winner|accepted|preferred|recommended|gewählt|ausgewählt|empfohlen|bevorzugt|elegida|elegido"
    "|seleccionada|recomendada|choisie|choisi|retenue|retenu|recommandée|escolhida|escolhido|selecionada|scelta|scelto"
    "|selezionata|consigliata|gekozen|geselecteerd|aanbevolen"
)
REJECTED = (
    "rejected|discarded|deprecated|dismissed|not chosen|verworfen|abgelehnt|rechazada|descartada|rejetée"
    "|écartée|rejeitada|scartata|scartate|afgewezen|verworpen"
)
NOT_CHOSEN = f"proposed|{REJECTED}"
"""Marks of a choice in brackets after an option, from a decision before this debate."""

CHOSEN_OPTION = (
    "chosen option|chosen alternative|chosen solution|selected option|selected alternative|selected solution"
    "|gewählte option|gewählte alternative|gewählte lösung|opción elegida|opción seleccionada|option retenue"
    "|option choisie|solution retenue|opção escolhida|opção selecionada|opzione scelta|soluzione scelta|gekozen optie"
    "|gekozen oplossing"
)
"""Words before the name of the option that a decision chose."""

PROPOSES = (
    "(?:use|adopt|move|run|keep|replace|split|drop|migrate|switch|add|introduce|store|build|create|remove|record|support"
    "|allow|make|write|publish|extract|separate|enable|implement|standardi[sz]e|choose|select|deploy|host|upgrade"
    "|enforce|let|put|send|serve|stop|start|merge|rename|refactor|rewrite|require|share|change|convert|deprecate|disable"
    "|expose|integrate|limit|provide|restrict|return|set|track|treat|turn|wrap|using|adopting|moving|switching|migrating"
    "|replacing|introducing|verwende|nutze|usar|utilizar|adoptar|utiliser|adopter|usare|utilizzare|adottare|adotar"
    "|gebruik)\\b.*"
    "|.*\\b(?:verwenden|nutzen|einsetzen|einführen|ersetzen|ablösen|behalten|migrieren|gebruiken|invoeren)"
)
"""Titles that propose an action, as regular expressions without groups that capture."""

OPTION_LABELS = (
    "option|alternative|solution|approach|proposal|candidate|position|variant|scenario|choice"
    "|variante|lösung|vorschlag|ansatz|szenario|lösungsvariante"
    "|opción|alternativa|solución|propuesta|enfoque|escenario"
    "|proposition|approche|scénario"
    "|opção|solução|proposta|abordagem|cenário"
    "|opzione|soluzione|approccio"
    "|optie|alternatief|oplossing|voorstel|variant"
)
"""Nouns before the number or letter of an option: "Option 2", "Lösung B"."""

LABELS_WITHOUT_NUMBER = "option|alternative|variante|opción|alternativa|opção|opzione|optie|alternatief"
"""Nouns that are labels before a colon alone: "Option: keep it". "Solution: ..." can answer a problem."""

QUESTION_WORDS = (
    "how|what|which|who|when|where|why|should|shall|do|does|is|are|can|could|must|may|will|would|in which|for which"
    "|to what"
    "|wie|was|welche[rsmn]?|wer|wann|wo|warum|soll|sollen|sollten|können|ist|sind|müssen|in welche[rsmn]?"
    "|cómo|qué|cuál|cuáles|quién|cuándo|dónde|debemos|deberíamos|podemos|se debe|en qué|con qué"
    "|comment|que|quel|quelle|quels|quelles|qui|quand|où|pourquoi|faut-il|doit-on|devons-nous|devrions-nous|est-ce"
    "|dans quel|dans quelle"
    "|como|qual|quais|quem|quando|onde|por que|devemos|deveríamos|podemos"
    "|come|che|quale|quali|chi|dove|perché|dobbiamo|dovremmo|possiamo"
    "|hoe|wat|welke|wie|wanneer|waar|waarom|moeten|zullen|kunnen|gaan we"
)
"""First words of a question, as regular expressions without brackets that capture."""

NOTHING_NAMED = (
    "none|n/a|na|none considered|no alternatives|not applicable|keine|keiner|ninguna|ninguno|aucune|aucun|nenhuma"
    "|nenhum|nessuna|nessuno|geen"
)
"""Mean no name if alone in a section; among others "None" is an option."""

FIELD_NAMES = (
    "status|state|date|decider|deciders|decision maker|decision makers|consulted|informed|contact|contacts|author"
    "|authors|owner|owners|reviewer|reviewers|tag|tags|last updated|technical story|ticket|tickets|supersedes"
    "|superseded by|amends|amended by|title|feature name|start date|rfc pr|rust issue|pep|discussions to|sponsor"
    "|content type|post history|last modified|python version"
    "|datum|entscheider|beteiligte|autor|autoren|schlagworte|titel|stand"
    "|estado|fecha|decisores|autores|título|etiquetas|data|situação"
    "|statut|état|auteur|auteurs|décideurs|titre|étiquettes"
    "|stato|decisori|autore|autori|titolo|beslissers|onderwerp"
)
"""Names of metadata before a colon, such as "Status: accepted"."""

TITLE_FIELDS = ("title", "feature name", "titel", "titulo", "titre", "titolo", "onderwerp")
DATE_FIELDS = ("date", "decision date", "datum", "fecha", "data", "start date", "last updated", "last modified")
PEOPLE_FIELDS = ("deciders", "decider", "decision makers", "decision maker", "entscheider", "decisores", "decideurs")
STATUS_FIELDS = ("status", "state", "estado", "statut", "etat", "stato", "situacao", "stand")

SETTLED = (
    "accepted|approved|adopted|decided|implemented|active|final|done|agreed|ratified|resolved"
    "|angenommen|akzeptiert|beschlossen|entschieden|umgesetzt|genehmigt|gültig"
    "|aceptada|aceptado|aprobada|aprobado|adoptada|decidida"
    "|acceptée|accepté|approuvée|approuvé|adoptée|adopté|validée|validé"
    "|aceita|aceite|aceito|aprovada|aprovado|adotada"
    "|accettata|accettato|approvata|approvato|adottata"
    "|geaccepteerd|aanvaard|goedgekeurd|besloten|vastgesteld"
)
OPEN = (
    "not yet accepted|not accepted|not decided|to be decided|proposed|draft|pending|open|in review|under review"
    "|in discussion|under discussion|in progress|wip|todo|tbd|rfc"
    "|vorgeschlagen|entwurf|offen|in arbeit|in diskussion"
    "|propuesta|propuesto|borrador|pendiente|abierta|en revisión"
    "|proposée|proposé|brouillon|en attente|ouverte|en cours"
    "|proposta|proposto|rascunho|pendente|aberta|em revisão"
    "|bozza|in attesa|aperta|in revisione"
    "|voorgesteld|concept|in behandeling"
)
UNSETTLED = (
    "superseded|deprecated|rejected|withdrawn|obsolete|retired|replaced|abandoned|declined|reverted|cancelled|canceled"
    "|abgelehnt|ersetzt|veraltet|zurückgezogen|abgelöst|überholt|verworfen"
    "|rechazada|rechazado|sustituida|reemplazada|obsoleta|retirada|descartada"
    "|rejetée|rejeté|remplacée|remplacé|obsolète|dépréciée|abandonnée|retirée"
    "|rejeitada|rejeitado|substituída|descontinuada"
    "|respinta|rifiutata|sostituita|superata|ritirata|deprecata"
    "|afgewezen|verworpen|vervangen|verouderd|ingetrokken"
)
"""Words of a status: of a decision that holds, of an open one, of one that no longer holds."""


def normal_name(words: str) -> str:
    """The form for comparing names: without number, accents, capitals and joining words."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", words.casefold()) if not unicodedata.combining(sign))
    found = re.findall(r"[^\W_]+", bare)
    while found and found[0].isdecimal():
        found = found[1:]
    return " ".join(word for word in found if word not in _JOINING)


_JOINING = frozenset({"and", "und", "y", "et", "e", "ed", "en", "o"})


@lru_cache(maxsize=256)
def normal_names(listed: str) -> frozenset[str]:
    """The names between bars, in the form for comparison."""
    return frozenset(map(normal_name, listed.split("|")))


def is_field(name: str) -> bool:
    """Return True for a name of metadata before a colon, such as "Status"."""
    return normal_name(name) in normal_names(FIELD_NAMES)


@lru_cache(maxsize=32_768)
def kinds_of(heading: str) -> frozenset[SectionKind]:
    """Every kind of section that this heading can begin; none for other headings."""
    name = normal_name(heading)
    if not name or len(name) > _LONGEST_NAME:
        return frozenset()
    return frozenset(kind for kind, pattern in _patterns().items() if pattern.fullmatch(name))


def is_named(heading: str, *kinds: SectionKind) -> bool:
    """Return True if a heading begins a section of one of these kinds."""
    return not kinds_of(heading).isdisjoint(kinds)


_LONGEST_NAME = 80
# "Scoping considered options": a section of options with a subject
_SUBJECT = re.compile(r"(.{2,60}?)[ :–—-]+(?:considered|evaluated) (?:options|alternatives)", re.IGNORECASE)
_OF_A_SUBJECT = r"[^|]{2,50}? (?:considered|evaluated) (?:options|alternatives)"


def subject_of(heading: str) -> str:
    """The subject of the options below a heading: "Scoping considered options" gives "Scoping"; mostly empty."""
    found = _SUBJECT.fullmatch(heading)
    is_plain = found is None or re.fullmatch(_form(SECTION_NAMES["options"][0]), normal_name(heading)) is not None
    return "" if found is None or is_plain else found[1]


@lru_cache(maxsize=1)
def _patterns() -> Mapping[SectionKind, re.Pattern[str]]:
    patterns: dict[SectionKind, re.Pattern[str]] = {}
    for kind, languages in SECTION_NAMES.items():
        forms = [_form(names) for names in languages]
        if kind == "options":
            forms.append(_OF_A_SUBJECT)
        patterns[kind] = re.compile("|".join(forms))
    return patterns


def _form(names: SectionNames) -> str:
    """`(?:considered )*(?:options|solutions)(?: evaluated)*`; nouns may follow one another, as in "context problem"."""
    nouns, before, after = (_one_of(part) for part in names)
    head = rf"(?:(?:{before}) )*" if names.before else ""
    tail = rf"(?: (?:{after}))*" if names.after else ""
    return rf"{head}(?:{nouns})(?: (?:{nouns}))?{tail}"


def _one_of(names: str) -> str:
    """Join names as a pattern, longer names first, so that none is cut by a shorter one."""
    return "|".join(map(re.escape, sorted(normal_names(names), key=len, reverse=True)))
