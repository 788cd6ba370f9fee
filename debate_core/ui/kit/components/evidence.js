// Claims as a table, a list and a map, and the selected claim in its source. The browser sorts, filters and selects.

const ABOUT = { for: message("for"), against: message("against"), divided: message("divided on"), said: message("said for"), "": "" }
const SIGN = { Agreed: "✓", Contested: "≠", Unanswered: "?" }
const STATUS = { Agreed: message("Agreed"), Contested: message("Contested"), Unanswered: message("Unanswered") }
// What divides the seats comes first.
const URGENCY = ["Contested", "Unanswered", "Agreed"]
const MEANINGS = {
  Contested: message("another seat answered and has not agreed"),
  Unanswered: message("no other seat answered"),
  Agreed: message("every seat that answered has agreed"),
}
const VIEWS = { table: message("Table"), map: message("Map"), list: message("List") }
// Below this width of the page, claims begin as a list, and an open claim takes the place of the others.
const TABLE_PX = 760
// A longer table shows its first rows, until all are asked for.
const MAX_ROWS = 20

// A column gives the text of its cells; `sort` gives another key, `draw` other content, `say` other words for the line
// above the table, `isOf` if the column says anything in this debate. A column `aside` is hidden beside an open claim.
const COLUMNS = [
  { name: message("No."), text: (claim) => String(claim.number), sort: (claim) => claim.number, draw: numberCell, stays: true },
  { name: message("Claim"), text: (claim) => claim.text, stays: true },
  { name: message("Who"), text: (claim) => claim.who },
  { name: message("Round"), text: (claim) => (claim.turn ? each(claim, ({ round }) => round) : ""), sort: (claim) => (claim.turn ? claim.round : 0), aside: "aside" },
  { name: message("Side"), text: (claim) => claim.letter + claim.side, draw: sideCell, stays: true },
  { name: message("Status"), text: (claim) => claim.status, sort: urgencyOf, draw: statusChip, say: (claim) => _(STATUS[claim.status] ?? claim.status) },
  { name: message("Quote check"), text: (claim) => (claim.quote ? claim.verdict : _("no quote")), draw: quoteChip, aside: "aside" },
  { name: message("Source"), text: (claim, data) => (claim.quoted ? data.sources[claim.quoted.source].title : ""), isOf: (data) => new Set(data.sources.map(({ title }) => title)).size > 1, aside: "aside" },
  { name: message("Answers"), text: (claim) => String(answersTo(claim)), sort: (claim) => -answersTo(claim), aside: "aside" },
  { name: message("Marks"), text: (claim) => claim.marked || claim.mark, sort: (claim) => -claim.marks.reduce((sum, one) => sum + one.people, 0), draw: markCell, aside: "aside" },
]

// What can be chosen in a field: the values that some claims have and others do not.
const CHOICES = [
  { label: message("Seat"), value: (claim) => claim.seat },
  { label: message("Round"), value: (claim) => claim.when },
  { label: message("Quote check"), value: (claim) => (claim.quote ? claim.verdict : _("no quote")) },
  { label: message("Mark"), value: (claim) => claim.mark || (claim.marked ? _("marked by the room") : _("not marked")) },
]

function evidence(given, send, root) {
  const data = { ...given, claims: oncePerText(given.claims) }
  const status = COLUMNS.find(({ name }) => name === "Status")
  const kept = keptFor(root, () => ({ view: "", sort: [status, 1], letter: new Set(), status: new Set(), unfolded: new Set(), chosen: {}, query: "", claim: "", first: null }))
  if (kept.first !== data.at) {
    kept.claim = firstOf(data.claims, data.at)
    kept.first = data.at
  }
  const body = make("div", "view")
  const pane = make("article", "pane")
  const both = make("div", "both", body, pane)
  const count = make("span", "count")
  count.setAttribute("role", "status")
  let shown = []

  function choose(id, byHand) {
    const chosen = shown.find((claim) => claim.id === id) ?? (showsOne() ? shown[0] : undefined)
    // A redraw keeps the claim open.
    kept.claim = chosen?.id ?? ""
    both.classList.toggle("opened", Boolean(chosen))
    pane.hidden = !chosen && !showsOne()
    for (const row of body.querySelectorAll("[data-claim]")) row.setAttribute(row.matches("[role=option]") ? "aria-selected" : "data-chosen", String(row.dataset.claim === kept.claim))
    if (!chosen) return pane.replaceChildren(make("p", "empty", _("No claim fits these filters.")))
    const close = showsOne() ? null : closeButton(shut)
    pane.replaceChildren(...[close, ...reading(data, chosen, open, send)].filter(Boolean))
    pane.scrollTop = 0
    pane.setAttribute("aria-label", _("Claim {number}", chosen))
    reveal(body, body.querySelector(`[data-claim="${CSS.escape(kept.claim)}"]`))
    if (byHand && isPhone()) {
      both.scrollIntoView({ block: "start" })
      pane.querySelector(".close").focus({ preventScroll: true })
    }
  }

  // A list on a wide page always has an open claim.
  function showsOne() {
    return kept.view === "list" && !isPhone()
  }

  function shut() {
    const from = body.querySelector("[data-chosen=true] button, button[data-chosen=true], [aria-selected=true]")
    choose("")
    from?.focus()
    // Its place was lost while the claim was shown instead.
    if (isPhone()) reveal(body, from?.closest("tr") ?? from)
  }

  function open(id) {
    id = firstOf(data.claims, id)
    if (!shown.some((claim) => claim.id === id)) {
      kept.letter.clear()
      kept.status.clear()
      Object.assign(kept, { chosen: {}, query: "" })
      search.value = ""
      bar.replaceWith((bar = filterBar(data, kept, fill, count)))
      fill()
    }
    // A folded group of the map opens for it, and a table that is cut.
    kept.claim = id
    if (kept.view !== "list") fill()
    choose(id, true)
  }

  function fill() {
    shown = data.claims.filter((claim) => passes(claim, kept))
    const press = (claim) => choose(claim.id, true)
    body.replaceChildren(
      ...(kept.view === "list"
        ? [claimList(data, (shown = sorted(data, shown, [status, 1])), kept, choose)]
        : kept.view === "map"
          ? argumentMap(data, shown, kept, press, fill)
          : [claimTable(data, shown, kept, press, fill)]),
    )
    if (!shown.length && kept.view !== "list") body.replaceChildren(make("p", "empty", _("No claim fits these filters.")))
    count.textContent = isFiltered(kept) ? claimsShown(shown.length, data.claims) : claimsMade(data.claims)
    choose(kept.claim)
  }

  const views = make("div", "views")
  views.setAttribute("role", "group")
  views.setAttribute("aria-label", _("View"))
  for (const [view, name] of Object.entries(VIEWS)) {
    const button = pressed("", _(name), () => show(view))
    button.dataset.view = view
    views.append(button)
  }
  const search = searchField(_("Search claims"), kept.query, (words) => {
    kept.query = words
    fill()
  })
  let bar = filterBar(data, kept, fill, count)
  const top = make("div", "top", views, search, isPhone() ? null : count)
  const drawn = make("div", "evidence", top, bar, both, quotesNote(data.claims))
  drawn.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !showsOne() && kept.claim) shut()
  })

  function show(view) {
    // A list always has a selected claim; the other views open one only by choice.
    if (kept.view === "list" && view !== "list") kept.claim = ""
    kept.view = view
    drawn.dataset.view = view
    for (const button of views.children) button.setAttribute("aria-pressed", String(button.dataset.view === view))
    fill()
  }

  show(kept.view || (isPhone() ? "list" : "table"))
  // Positions are known only after the elements are on the page.
  requestAnimationFrame(() => choose(kept.claim))
  return drawn
}

// The same words for the same option are one row, with the numbers under which they were said.
function oncePerText(claims) {
  const groups = Map.groupBy(claims, ({ wording, letter, side }) => JSON.stringify([wording, letter, side]))
  const first = new Map([...groups.values()].flatMap((said) => said.map(({ id }) => [id, said[0].id])))
  return [...groups.values()].map((said) => {
    const links = said.flatMap((one) => one.links.map((link) => ({ ...link, claim: first.get(link.claim) ?? link.claim })))
    const quoting = said.find(({ quote }) => quote) ?? said[0]
    const { quote, verdict, left_out, holds, quoted } = quoting
    const marking = said.find(({ mark, marked }) => mark || marked) ?? said[0]
    return {
      ...said[0],
      said,
      who: [...new Set(said.map(({ who }) => who))].join(", "),
      crux: said.some(({ crux }) => crux),
      mark: marking.mark,
      marks: marking.marks,
      marked: marking.marked,
      links: links.filter(({ claim }) => claim !== said[0].id),
      notes: [...new Set(said.flatMap(({ notes }) => notes))],
      quote,
      verdict,
      left_out,
      holds,
      quoted,
    }
  })
}

function firstOf(claims, id) {
  return claims.find(({ said }) => said.some((one) => one.id === id))?.id ?? id
}

function timesSaid(claim) {
  return claim.said.length > 1 ? make("small", "times", _("said {n} times", { n: claim.said.length })) : null
}

// What divides the seats most: the status, then the crux, then the number of answers.
function urgencyOf(claim) {
  return 1000 * URGENCY.indexOf(claim.status) - (claim.crux ? 500 : 0) - answersTo(claim)
}

function numberCell(claim) {
  const cell = make("span", "", String(claim.number))
  cell.title = claim.said.length > 1 ? claim.said.map(({ number }) => _("Claim {number}", { number })).join(", ") : claim.id
  return cell
}

// What differs between those who said it: `round 1, round 2`.
function each(claim, value) {
  return [...new Set(claim.said.map(value))].join(", ")
}

function quotesNote(rows) {
  const claims = allSaid(rows)
  const quotes = claims.filter(({ quote }) => quote)
  if (!quotes.length) return null
  const counts = { n: quotes.length, holds: quotes.filter(({ holds }) => holds).length, bare: claims.length - quotes.length }
  return make("p", "quotes", _("Quotes whose words are in the document: {holds} of {n}; claims without a quote: {bare}. Whether a quote proves its claim is for you to judge.", counts))
}

function closeButton(then) {
  const button = pressed("close", isPhone() ? _("‹ All claims") : "×", then)
  button.setAttribute("aria-label", _("Close the claim"))
  return button
}

// A claim is what one seat said under one number, as in the room and in files; a row has all claims with its words.
function allSaid(rows) {
  return rows.flatMap(({ said }) => said)
}

// `36 claims, 24 different`: all claims, and the rows that show them.
function claimsMade(rows) {
  const n = allSaid(rows).length
  if (n > rows.length) return _("{n} claims, {different} different", { n, different: rows.length })
  return n === 1 ? _("{n} claim", { n }) : _("{n} claims", { n })
}

function claimsShown(shown, rows) {
  const of = rows.length
  if (allSaid(rows).length > of) return _("{shown} of {of} different claims", { shown, of })
  return of === 1 ? _("{shown} of {of} claim", { shown, of }) : _("{shown} of {of} claims", { shown, of })
}

// Scroll only the box, not the page, until the item is in sight.
function reveal(box, item) {
  const scrolls = item?.closest(".claims, .sheet, .map")
  if (!scrolls) return
  const top = item.getBoundingClientRect().top - scrolls.getBoundingClientRect().top + scrolls.scrollTop
  const bottom = top + item.offsetHeight - scrolls.clientHeight
  scrolls.scrollTop = Math.max(bottom, Math.min(scrolls.scrollTop, top - 40))
}

// --- filters

function isFiltered(kept) {
  return Boolean(kept.letter.size || kept.status.size || kept.query.trim() || isAnyChosen(kept))
}

function isAnyChosen(kept) {
  return Object.values(kept.chosen).some(Boolean)
}

function passes(claim, kept) {
  const fits = (kind) => !kept[kind].size || kept[kind].has(claim[kind])
  const words = `${each(claim, ({ number }) => number)} ${claim.text} ${claim.who} ${claim.quote}`.toLowerCase()
  const isChosen = CHOICES.every(({ label, value }) => !kept.chosen[label] || claim.said.some((one) => kept.chosen[label] === value(one)))
  return fits("letter") && fits("status") && isChosen && words.includes(kept.query.trim().toLowerCase())
}

// On a phone one line, which unfolds.
function filterBar(data, kept, fill, count) {
  if (!isPhone()) return filterChips(data, kept, fill)
  const inside = filterChips(data, kept, fill)
  const isUsed = kept.letter.size || kept.status.size || isAnyChosen(kept)
  const fold = make("details", "more", make("summary", "", _("Filters")), inside)
  fold.open = Boolean(isUsed)
  return make("div", "filters folded", inside.childElementCount ? fold : null, count)
}

function isPhone() {
  return window.innerWidth < TABLE_PX
}

function filterChips(data, kept, fill) {
  const bar = make("div", "filters")
  bar.setAttribute("role", "group")
  bar.setAttribute("aria-label", _("Show only claims that are"))
  const chip = (kind, value, ...inside) => {
    const button = pressed("toggle", "", () => {
      const isOn = !kept[kind].delete(value)
      if (isOn) kept[kind].add(value)
      button.setAttribute("aria-pressed", String(isOn))
      fill()
    })
    button.append(...inside)
    button.setAttribute("aria-pressed", String(kept[kind].has(value)))
    return button
  }
  const has = (kind, value) => data.claims.some((claim) => claim[kind] === value)
  const about = data.options.filter(({ letter }) => letter && has("letter", letter))
  const are = Object.keys(SIGN).filter((status) => has("status", status))
  if (about.length > 1) bar.append(...about.map(({ option, letter }) => chip("letter", letter, mark(letter), make("span", "", option))))
  if (about.length > 1 && are.length > 1) bar.append(make("i"))
  if (are.length > 1) bar.append(...are.map((status) => chip("status", status, `${_(STATUS[status])} ${numberWith(data.claims, status)}`)))
  bar.append(...choiceFields(data, kept, fill))
  return bar
}

function choiceFields(data, kept, fill) {
  const fields = CHOICES.flatMap(({ label, value }) => {
    const values = [...new Set(data.claims.flatMap(({ said }) => said.map(value)))]
    if (values.length < 2) return []
    return [selectField(_(label), [["", _("any")], ...values.map((one) => [one, one])], kept.chosen[label] ?? "", (chosen) => {
      kept.chosen[label] = chosen
      fill()
    })]
  })
  if (!fields.length) return []
  if (isPhone()) return fields
  const more = make("details", "more", make("summary", "", _("More filters")), make("div", "", ...fields))
  more.open = isAnyChosen(kept)
  return [more]
}

function numberWith(claims, status) {
  return claims.filter((claim) => claim.status === status).length
}

// --- as a table

function claimTable(data, shown, kept, press, fill) {
  const columns = COLUMNS.filter((column) => differs(column, data))
  const head = make("tr", "", ...columns.map((column) => headCell(column, kept, fill)))
  const ordered = sorted(data, shown, kept.sort)
  const isCut = !kept.all && ordered.length > MAX_ROWS && !ordered.slice(MAX_ROWS).some(({ id }) => id === kept.claim)
  const visible = ordered.slice(0, isCut ? MAX_ROWS : undefined)
  const isGrouped = kept.sort?.[0].name === "Status"
  const rows = visible.flatMap((claim, place) => {
    const isFirst = isGrouped && claim.status !== visible[place - 1]?.status
    const group = isFirst ? groupRow(claim.status, numberWith(shown, claim.status), columns.length) : null
    return [group, tableRow(data, claim, columns, isGrouped, press)].filter(Boolean)
  })
  const table = make("table", "", make("caption", "unseen", _("Claims")), make("thead", "", head), make("tbody", "", ...rows))
  const box = make("div", "sheet", table)
  rove(box, () => [...box.querySelectorAll("button.opens")])
  const all = pressed("act", _("Show all {n}", { n: ordered.length }), () => {
    kept.all = true
    fill()
  })
  return make("div", "", sameLine(data), box, isCut ? all : null)
}

function tableRow(data, claim, columns, isGrouped, press) {
  // The row above a group says the status; the cell says by whom.
  const cellOf = (column) => (isGrouped && column.name === "Status" ? contestingWords(claim) : column.draw ? column.draw(claim) : column.text(claim, data))
  const row = make("tr", "", ...columns.map((column) => make("td", column.aside, cellOf(column))))
  const open = pressed("opens", "", () => press(claim))
  open.append(make("span", "", claim.text), claim.crux ? cruxChip() : "", " ", timesSaid(claim) ?? "")
  // Two seats may claim the same words.
  open.setAttribute("aria-label", `${_("Claim {number}", claim)}: ${claim.text}${claim.crux ? `, ${_("Crux")}` : ""}`)
  row.children[1].replaceChildren(open)
  row.dataset.claim = claim.id
  row.addEventListener("click", (event) => event.target.closest("button") ?? press(claim))
  return row
}

function groupRow(status, number, width) {
  const head = make("th", "", ...groupTitle(status, number))
  head.colSpan = width
  head.scope = "rowgroup"
  return make("tr", "group", head)
}

function groupTitle(status, number) {
  return [statusSign(status), ` ${number}`, make("span", "", ` · ${_(MEANINGS[status] ?? "")}`)]
}

function contestingWords(claim) {
  return claim.contested_by ? _("by {contested_by}", claim) : statusSign(claim.status)
}

// A column with the same text in all rows is left out, and said once above the table.
function differs(column, data) {
  return column.stays || (!isAlike(column, data) && (column.isOf?.(data) ?? true))
}

function isAlike(column, data) {
  return new Set(data.claims.map((claim) => column.text(claim, data))).size === 1
}

function sameLine(data) {
  const [first] = data.claims
  const alike = COLUMNS.filter((column) => !column.stays && isAlike(column, data) && column.text(first, data))
  if (!alike.length) return null
  const said = alike.map((column) => `${_(column.name)}: ${(column.say ?? column.text)(first, data)}`)
  return make("p", "same", `${_("In all claims")} · ${said.join(" · ")}`)
}

function headCell(column, kept, fill) {
  const [by, way] = kept.sort ?? []
  const button = pressed("", _(column.name), () => {
    kept.sort = by !== column ? [column, 1] : way === 1 ? [column, -1] : null
    const box = cell.getRootNode()
    const place = [...cell.parentElement.children].indexOf(cell)
    fill()
    box.querySelectorAll(".sheet th button")[place]?.focus()
  })
  const cell = scoped("col", make("th", column.aside, button))
  if (by === column) {
    cell.setAttribute("aria-sort", way === 1 ? "ascending" : "descending")
    button.append(make("i", "", way === 1 ? " ↑" : " ↓"))
  }
  return cell
}

function sorted(data, shown, sort) {
  if (!sort) return shown
  const [column, way] = sort
  const key = column.sort ?? column.text
  const order = (one, other) => (typeof one === "number" ? one - other : one.localeCompare(other))
  return [...shown].sort((a, b) => way * order(key(a, data), key(b, data)))
}

function sideCell(claim) {
  if (!claim.letter) return ""
  // The usual case needs no words beside the mark.
  const side = make("span", "side", mark(claim.letter), make("span", claim.side === "said" ? "unseen" : "", _(ABOUT[claim.side])))
  side.title = _(SIDES[claim.side]?.[1] ?? "")
  return side
}

function quoteChip(claim) {
  if (!claim.quote) return make("span", "none", _("no quote"))
  return make("span", claim.holds ? "" : "chip grave", claim.verdict)
}

function markCell(claim) {
  const room = claim.marks.map((one) => make("span", "side", one.letter ? mark(one.letter) : "", `${_(MARK_SIGN[one.side])} ${one.people}`))
  const cell = make("span", "marks-of", claim.mark, ...room)
  if (claim.marked) cell.title = claim.marked
  return cell
}

function answersTo(claim) {
  return claim.links.filter(({ verb }) => verb === "answered by" || verb === "accepted by").length
}

function cruxChip() {
  const chip = make("span", "chip crux", _("Crux"))
  chip.title = _("Most voters named it as the claim that decided their vote")
  return chip
}

// --- as a list

function claimList(data, shown, kept, choose) {
  // That every quote is in its source is said once.
  const isNews = data.claims.some((claim) => !claim.quote || !claim.holds)
  const row = (claim) => claimRow(claim, isNews, () => choose(claim.id, true))
  const groups = Map.groupBy(shown, ({ status }) => status)
  const list = make("div", "claims", ...[...groups].map(([status, claims]) => listGroup(status, claims.map(row))))
  list.setAttribute("role", "listbox")
  list.setAttribute("aria-label", _("Claims"))
  list.tabIndex = 0
  const point = () => {
    const chosen = shown.find((claim) => claim.id === kept.claim)
    if (chosen) list.setAttribute("aria-activedescendant", `claim-${chosen.number}`)
  }
  list.addEventListener("focus", point)
  list.addEventListener("keydown", (event) => {
    const at = shown.findIndex((claim) => claim.id === kept.claim)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    if (shown[to]) choose(shown[to].id)
    point()
  })
  return list
}

function listGroup(status, rows) {
  const title = make("div", "title", ...groupTitle(status, rows.length))
  title.setAttribute("aria-hidden", "true")
  const box = make("ul", "", ...rows)
  box.setAttribute("role", "presentation")
  const group = make("div", "", title, box)
  group.setAttribute("role", "group")
  group.setAttribute("aria-label", title.textContent)
  return group
}

function claimRow(claim, isNews, choose) {
  const number = make("span", "number", numberCell(claim))
  const quote = isNews && make("span", claim.quote && !claim.holds ? "chip grave" : "", claim.quote ? _("quote {verdict}", claim) : _("no quote"))
  const said = make("span", "who", `${claim.who}, ${each(claim, ({ when }) => when)}`)
  const state = make("div", "state", said, timesSaid(claim), sideCell(claim), claim.crux ? cruxChip() : null, quote || null)
  const item = make("li", "", number, make("div", "", make("div", "text", claim.text), state))
  item.id = `claim-${claim.number}`
  item.dataset.claim = claim.id
  item.setAttribute("role", "option")
  item.addEventListener("click", choose)
  return item
}

function statusSign(status) {
  return `${SIGN[status] ?? ""} ${_(STATUS[status] ?? status)}`
}

function statusChip(claim) {
  const chip = make("span", "chip", statusSign(claim.status))
  if (claim.contested_by) chip.title = _("Contested by {contested_by}", claim)
  return chip
}

function reading(data, claim, open, send) {
  const name = make("span", "chip", _("Claim {number}", claim))
  name.title = numberCell(claim).title
  const option = data.options.find(({ letter }) => letter && letter === claim.letter)
  const about = option ? make("span", "chip", mark(claim.letter), `${_(ABOUT[claim.side])} ${option.option}`) : null
  const head = make("div", "head", name, about, statusChip(claim), claim.crux ? cruxChip() : null, make("span", "who", `${claim.who}, ${each(claim, ({ when }) => when)}`))
  const links = claim.links.map((link) => linkRow(link, open))
  if (!links.some((row) => row.dataset.verb === "answered by" || row.dataset.verb === "accepted by")) {
    links.push(make("li", "", make("span", "verb", _("open")), make("span", "", _("No one answered this claim."))))
  }
  return [
    head,
    make("h3", "", claim.text),
    claim.contested_by ? make("p", "note", _("Contested by {contested_by}", claim)) : null,
    ...inSource(data, claim),
    ...markBar(claim),
    make("ul", "links", ...links),
    ...claim.notes.map((note) => make("p", "note", note)),
    make(
      "div",
      "acts",
      pressed("act", _("Mark what it supports"), () => send("mark", claim.id)),
      claim.turn ? pressed("act", _("Read the turn"), () => send("turn", claim.turn)) : null,
    ),
  ]
}

const VERBS = [message("answers"), message("repeats"), message("answered by"), message("accepted by"), message("moved")]

function linkRow(link, open) {
  const who = make("b", "", link.who)
  const name = link.claim ? pressed("claim", link.name, () => open(link.claim)) : link.name
  const row = make("li", "", make("span", "verb", _(VERBS.find((verb) => verb === link.verb))), make("span", "", who, ", ", name, link.text ? `: ${link.text}` : ""))
  row.dataset.verb = link.verb
  return row
}

function inSource(data, claim) {
  if (!claim.quote) return [make("p", "empty", _("No quote: the speaker is the only source of this claim."))]
  const source = claim.quoted ? data.sources[claim.quoted.source] : null
  const verdict = claim.verdict + claim.left_out
  const where = [source?.title, claim.quoted?.heading, verdict].filter(Boolean).join(" · ")
  const said = claim.quoted?.marks.length && claim.holds ? null : make("blockquote", "", claim.quote)
  return [make("p", "where", "“ ", where), said, source ? documentOf(source, claim.quoted.marks) : null].filter(Boolean)
}

function documentOf(source, marks) {
  const paper = make("div", "paper")
  paper.tabIndex = 0
  paper.setAttribute("role", "region")
  paper.setAttribute("aria-label", _("Source: {title}", source))
  if (source.cut_before) paper.append(make("p", "", "…"))
  source.blocks.forEach(([isHeading, text], place) => {
    paper.append(make(isHeading ? "h4" : "p", "", ...marked(text, marks.filter(([block]) => block === place))))
  })
  if (source.cut_after) paper.append(make("p", "", "…"))
  requestAnimationFrame(() => {
    const block = paper.querySelector("mark")?.parentElement
    const title = block?.previousElementSibling
    const first = title?.matches("h4") ? title : block
    if (first) paper.scrollTop = first.offsetTop - 14
  })
  return paper
}

// Positions count code points: an emoji is one.
function marked(text, marks) {
  if (!marks.length) return [text]
  const signs = [...text]
  const parts = []
  let done = 0
  for (const [, start, end] of marks) {
    parts.push(signs.slice(done, start).join(""), make("mark", "", signs.slice(start, end).join("")))
    done = end
  }
  return [...parts, signs.slice(done).join("")]
}

Object.assign(PARTS, { evidence })
