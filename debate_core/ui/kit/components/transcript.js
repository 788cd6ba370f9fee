// The transcript of the results: the first lines of each turn, which unfold to the whole text. Found words are marked here;
// nothing is sent to the server.

// Characters of a text in the line of a folded turn, which screen readers read as its name.
const MAX_START = 300
const KIND_CHIPS = { seat: "", person: message("person"), moderation: message("moderation"), override: message("override"), note: message("note") }
const KIND_NAMES = { seat: message("Seats"), person: message("People"), moderation: message("Moderation"), override: message("Overrides"), note: message("Notes") }
// Turns that a search unfolds; the others show how often they have the words.
const MAX_UNFOLDED = 40
const SHORTEST_QUERY = 2
// Below this width of the page, filters and jumps are folded.
const WIDE_PX = 760
// Of so many turns each has its place in the list beside them; of more only their rounds.
const MAX_JUMPS = 120

function transcript(data, send, root) {
  const kept = keptFor(root, () => ({ open: new Set(), query: "", seat: "", option: "", kinds: new Set(), changes: false, first: null }))
  const entries = data.entries.map((entry, place) => drawEntry(data, entry, place, kept, send))
  const groups = data.groups.map((title, place) => {
    const items = entries.filter(({ entry }) => entry.group === place)
    const section = make("section", "said-in", title ? make("h3", "", title) : null, make("ol", "", ...items.map(({ item }) => item)))
    if (title) section.setAttribute("aria-label", title)
    return { section, items }
  })
  const nothing = make("p", "empty", _("No turn fits these filters."))
  const count = make("span", "count")
  count.setAttribute("role", "status")
  let hits = []
  let at = -1

  function apply() {
    const pattern = patternOf(kept.query)
    hits = []
    at = -1
    let unfolded = 0
    for (const one of entries) {
      const { entry, item, fold } = one
      const isOf = (!kept.seat || entry.seat === kept.seat) && (!kept.option || entry.options.includes(kept.option))
      const fits = isOf && (!kept.changes || isChanged(entry)) && (!kept.kinds.size || kept.kinds.has(entry.kind))
      const found = fits && pattern ? one.pieces.reduce((sum, piece) => sum + [...piece.text.matchAll(pattern)].length, 0) : 0
      item.hidden = !fits || Boolean(pattern && !found)
      for (let nth = 0; nth < found; nth++) hits.push([one, nth])
      one.pattern = found ? pattern : null
      const opens = pattern ? found && unfolded++ < MAX_UNFOLDED : kept.open.has(one.key)
      one.searched = Boolean(pattern)
      fold.open = Boolean(opens)
      markPieces(one)
      one.times.textContent = found > 1 && !opens ? _("{found} hits", { found }) : ""
    }
    for (const { section, items } of groups) section.hidden = items.every(({ item }) => item.hidden)
    for (const [jump, target] of jumps) jump.hidden = target.hidden
    const shown = entries.filter(({ item }) => !item.hidden).length
    nothing.hidden = shown > 0
    count.textContent = pattern ? _("Hits: {hits}, in {turns} of {of} turns", { hits: hits.length, turns: shown, of: entries.length }) : _("{shown} of {of} turns", { shown, of: entries.length })
    for (const button of steps) button.disabled = !hits.length
  }

  function step(by) {
    if (!hits.length) return
    root.querySelector("mark.now")?.classList.remove("now")
    at = at < 0 && by < 0 ? hits.length - 1 : (at + by + hits.length) % hits.length
    const [one, nth] = hits[at]
    one.fold.open = true
    markPieces(one)
    const hit = one.item.querySelectorAll("mark")[nth]
    hit?.classList.add("now")
    hit?.scrollIntoView({ block: "center" })
    count.textContent = _("hit {at} of {hits}", { at: at + 1, hits: hits.length })
  }

  const search = searchField(_("Find in the transcript"), kept.query, (words) => {
    kept.query = words
    apply()
  })
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  })
  const steps = [
    ["↑", message("Previous hit"), -1],
    ["↓", message("Next hit"), 1],
  ].map(([sign, words, by]) => {
    const button = pressed("step", sign, () => step(by))
    button.setAttribute("aria-label", _(words))
    return button
  })
  const folding = pressed("toggle", _("Unfold all"), () => {
    const opens = folding.getAttribute("aria-pressed") === "false"
    folding.setAttribute("aria-pressed", String(opens))
    for (const { item, fold } of entries) if (!item.hidden) fold.open = opens
  })
  folding.setAttribute("aria-pressed", "false")
  const bySeat = choiceField(_("Seat"), _("All seats"), "seat", data.entries.map(({ seat }) => seat), kept, apply)
  const compared = data.entries.flatMap(({ options }) => options).sort()
  const byOption = choiceField(_("Option"), _("All options"), "option", compared, kept, apply)
  const choices = [make("div", "jumps", ...bySeat, ...byOption, ...roundField(data, groups), ...changesChip(data, kept, apply), folding), ...kindChips(data, kept, apply)]
  const isNarrow = window.innerWidth < WIDE_PX
  const folded = isNarrow ? [make("details", "", make("summary", "", _("Filters")), ...choices)] : choices
  const bar = make("div", "bar", make("div", "find", search, ...(isNarrow ? [] : steps), count), ...folded)
  const jumps = new Map()
  const beside = jumpList(data, groups, jumps)
  const turns = make("div", "", ...groups.map(({ section }) => section), nothing)
  const drawn = make("div", "transcript", bar, make("div", "columns", turns, beside))
  apply()
  if (kept.first !== data.at) {
    kept.first = data.at
    goTo(entries.find(({ entry }) => entry.id && entry.id === data.at))
  }
  return drawn
}

function goTo(one) {
  if (!one) return
  one.fold.open = true
  one.item.classList.add("target")
  // Positions are known only after the elements are on the page.
  requestAnimationFrame(() => {
    one.item.scrollIntoView({ block: "center" })
    one.fold.querySelector("summary").focus({ preventScroll: true })
  })
}

function patternOf(query) {
  const words = query.trim()
  return words.length < SHORTEST_QUERY ? null : new RegExp(words.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "giu")
}

// Mark the hits of an unfolded turn, once for each search.
function markPieces(one) {
  const pattern = one.fold.open ? one.pattern : null
  if (one.marked === pattern) return
  one.marked = pattern
  for (const { element, text } of one.pieces) {
    const hits = pattern ? [...text.matchAll(pattern)] : []
    const parts = []
    let done = 0
    for (const hit of hits) {
      parts.push(text.slice(done, hit.index), make("mark", "", hit[0]))
      done = hit.index + hit[0].length
    }
    element.replaceChildren(...parts, text.slice(done))
  }
}

// --- one turn

function drawEntry(data, entry, place, kept, send) {
  const pieces = []
  const piece = (tag, className, text) => {
    const element = make(tag, className, text)
    pieces.push({ element, text })
    return element
  }
  const times = make("span", "times")
  const summary = make("summary", "", headLine(entry, times, kindsOf(data).length > 1), ...secondLine(entry))
  const body = make(
    "div",
    "body",
    entry.text ? piece("p", "prose", entry.text) : null,
    entry.claims.length ? make("ul", "", ...claimItems(entry, send, piece)) : null,
    ...entry.remarks.map((remark) => piece("p", "note", remark)),
  )
  if (!body.childNodes.length) body.append(make("p", "empty", _("No text was given.")))
  const fold = make("details", "", summary, body)
  const item = make("li", `turn is-${entry.kind}`, fold, entry.id ? linkTo(data, entry) : null)
  const one = { entry, key: entry.id || place, item, fold, pieces, times, pattern: null, marked: null, searched: false }
  fold.addEventListener("toggle", () => {
    // What a search unfolds is folded again after it.
    if (!one.searched) kept.open[fold.open ? "add" : "delete"](one.key)
    markPieces(one)
  })
  return one
}

function headLine(entry, times, isMixed) {
  const kind = isMixed && KIND_CHIPS[entry.kind] ? make("span", `chip ${entry.kind}`, _(KIND_CHIPS[entry.kind])) : null
  const status = entry.status ? make("span", "chip grave", entry.status) : null
  return make("span", "first", make("b", "", entry.who), kind, make("span", "beside", entry.beside), status, times, voteOf(entry))
}

function isChanged(entry) {
  return Boolean(entry.was) && entry.was !== entry.vote
}

function voteOf(entry) {
  if (!entry.vote) return null
  const sign = entry.letter ? mark(entry.letter) : null
  if (!entry.was) return make("span", "vote", sign, make("span", "", _("votes {vote}", entry)))
  if (!isChanged(entry)) {
    const words = _("still votes {vote}", entry)
    const same = make("span", "vote same", sign, make("span", sign ? "unseen" : "", words))
    same.title = words
    return same
  }
  const before = entry.was_letter ? [mark(entry.was_letter), make("i", "", "→")] : []
  const changed = make("span", "vote changed", ...before, sign, make("span", "", _("changes to {vote}", entry)))
  changed.title = _("{was} before", entry)
  return changed
}

// The beginning of the speech, or the claims of a turn without text; and why the vote changed.
function secondLine(entry) {
  const why = entry.concedes.length ? _("concedes {claims}", { claims: entry.concedes.join(", ") }) : isChanged(entry) ? _("names no claim for the change") : ""
  const said = entry.text || entry.claims.map(({ text }) => text).join(" ")
  return [make("span", "start", said.slice(0, MAX_START)), why ? make("span", "concedes", why) : null]
}

// A claim that the text above has word for word is a button only, so that it is read once.
function claimItems(entry, send, piece) {
  const isRead = (claim) => entry.text.includes(claim.text)
  const read = entry.claims.filter(isRead).map((claim) => claimButton(claim, send))
  const others = entry.claims.filter((claim) => !isRead(claim))
  const items = others.map((claim) => make("li", "", claimButton(claim, send), piece("span", "", claim.text)))
  return read.length ? [make("li", "read", ...read), ...items] : items
}

function claimButton(claim, send) {
  return pressed("claim", _("Claim {number}", claim), () => send("open", claim.id))
}

// The address opens the transcript at this turn; a browser without a clipboard goes there.
function linkTo(data, entry) {
  const link = make("a", "link", _("Copy link"))
  const query = new URLSearchParams({ id: data.debate, tab: "Transcript", turn: entry.id })
  link.href = `${location.pathname}?${query}`
  link.setAttribute("aria-label", _("Copy the link to this turn of {who}", entry))
  link.addEventListener("click", async (event) => {
    if (!navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    try {
      await navigator.clipboard.writeText(link.href)
    } catch {
      // The browser forbids this page to write to the clipboard.
      location.assign(link.href)
      return
    }
    link.textContent = _("Link copied")
    setTimeout(() => (link.textContent = _("Copy link")), 2000)
  })
  return link
}

// --- filters and jumps

// A filter by one of these values; none if there is no choice.
function choiceField(label, all, name, values, kept, apply) {
  const known = [...new Set(values)].filter(Boolean)
  if (known.length < 2) return []
  const choices = [["", all], ...known.map((value) => [value, value])]
  return [selectField(label, choices, kept[name], (value) => {
    kept[name] = value
    apply()
  })]
}

function roundField(data, groups) {
  const named = data.groups.flatMap((title, place) => (title ? [[String(place), title]] : []))
  if (named.length < 2) return []
  const label = selectField(_("Go to"), named, named[0][0], (place) => groups[Number(place)].section.scrollIntoView({ block: "start" }))
  const field = label.querySelector("select")
  // The phase that was chosen last can be chosen again after scrolling.
  field.addEventListener("pointerdown", () => (field.value = ""))
  label.classList.add("go-to")
  return [label]
}

// Beside the turns of a wide page: their rounds, and below each its turns. `jumps` gets each place with its target.
function jumpList(data, groups, jumps) {
  const list = make("ul", "")
  const add = (className, words, target, go) => {
    const jump = make("li", className, pressed("", "", go))
    jump.firstChild.append(...words)
    jumps.set(jump, target)
    list.append(jump)
  }
  for (const [place, { section, items }] of groups.entries()) {
    const title = data.groups[place]
    if (title) add("round", [title], section, () => section.scrollIntoView({ block: "start" }))
    for (const one of data.entries.length > MAX_JUMPS ? [] : items) {
      const { who, letter } = one.entry
      add("", letter ? [mark(letter), who] : [who], one.item, () => goTo(one))
    }
  }
  const drawn = make("nav", "jump-list", make("p", "caption", _("Go to")), list)
  drawn.setAttribute("aria-label", _("Go to"))
  return drawn
}

function changesChip(data, kept, apply) {
  const many = data.entries.filter(isChanged).length
  if (!many) return []
  const chip = pressed("toggle", _("Changed votes of seats: {n}", { n: many }), () => {
    kept.changes = !kept.changes
    chip.setAttribute("aria-pressed", String(kept.changes))
    apply()
  })
  chip.setAttribute("aria-pressed", String(kept.changes))
  return [chip]
}

function kindsOf(data) {
  return Object.keys(KIND_NAMES).filter((kind) => data.entries.some((entry) => entry.kind === kind))
}

function kindChips(data, kept, apply) {
  const kinds = kindsOf(data)
  if (kinds.length < 2) return []
  const chips = kinds.map((kind) => {
    const many = data.entries.filter((entry) => entry.kind === kind).length
    const chip = pressed("toggle", `${_(KIND_NAMES[kind])} ${many}`, () => {
      if (!kept.kinds.delete(kind)) kept.kinds.add(kind)
      chip.setAttribute("aria-pressed", String(kept.kinds.has(kind)))
      apply()
    })
    chip.setAttribute("aria-pressed", String(kept.kinds.has(kind)))
    return chip
  })
  const group = make("div", "kinds", ...chips)
  group.setAttribute("role", "group")
  group.setAttribute("aria-label", _("Show only"))
  return [group]
}

Object.assign(PARTS, { transcript })
