// Draws votes and decisions from the shapes of `parts.py`. Uses only elements and text nodes: texts of people and
// models are never parsed as HTML. Counts nothing; every number comes from the server.

const DRAWN = new WeakMap()
// Clocks, input in the browser and versions; a change of these fields causes no redraw.
const PASSING = new Set(["clock", "given", "version", "live"])
// For each root, the function that sends a click to the server, once or as a new state.
const TELLS = new WeakMap()
const SVG = "http://www.w3.org/2000/svg"
// Up to this number, voters are drawn as squares.
const MAX_HEADS = 9
// Up to this number, judges are named below the bar with what each gave.
const MAX_NAMED = 6
// Circle, square, triangle, diamond, pentagon, hexagon, bar, cross; all fill a box of 24 by 24.
const SHAPES = [
  "M12 1a11 11 0 1 0 .01 0z",
  "M5 1.5h14a3.5 3.5 0 0 1 3.5 3.5v14a3.5 3.5 0 0 1-3.5 3.5H5A3.5 3.5 0 0 1 1.5 19V5A3.5 3.5 0 0 1 5 1.5z",
  "M12 1 23.5 22H.5z",
  "M12 .5 23.5 12 12 23.5.5 12z",
  "M12 1 23.4 9.4 19 23H5L.6 9.4z",
  "M6.2 2h11.6l5.8 10-5.8 10H6.2L.4 12z",
  "M7.5 5h9a7 7 0 0 1 0 14h-9a7 7 0 0 1 0-14z",
  "M7.5 1h9v6.5H23v9h-6.5V23h-9v-6.5H1v-9h6.5z",
]
const TRIANGLE = 2

// For each root, what draws it again when the live socket has newer parts.
const FOLLOWS = new WeakMap()

export default function ({ data, parentElement, setTriggerValue, setStateValue }) {
  const root = parentElement.querySelector(".face")
  TELLS.set(root, { setTriggerValue, setStateValue })
  document.removeEventListener("debate-panel", FOLLOWS.get(root))
  if (!data.live) return show(root, data)
  const follow = () => show(root, newest(data))
  FOLLOWS.set(root, follow)
  document.addEventListener("debate-panel", follow)
  follow()
  return () => document.removeEventListener("debate-panel", follow)
}

// The part as this page was drawn, or as the live socket has sent it since.
function newest(data) {
  const { name, debate } = data.live
  const panel = globalThis.debatePanel
  const is_newer = panel?.debate === debate && panel.version > data.version && name in panel.parts
  return is_newer ? (panel.parts[name] ?? { part: "nothing" }) : data
}

function show(root, data) {
  const told = JSON.stringify(data, (name, value) => (PASSING.has(name) ? "" : value))
  // The same data again keeps the open chip, the scroll position and the focus; only a clock changes.
  if (DRAWN.get(root) === told) return PASSED[data.part]?.(data, root)
  const before = DRAWN.get(root)
  DRAWN.set(root, told)
  root.classList.toggle("reveals", Boolean(data.reveals) && before !== undefined)
  const send = (event, value) => TELLS.get(root).setTriggerValue(event, value)
  const keep = (name, value) => TELLS.get(root).setStateValue(name, value)
  root.replaceChildren(PARTS[data.part](data, send, root, keep))
  // An empty part takes no place, not even that of a gap.
  const box = root.getRootNode().host?.closest("[data-testid=stElementContainer]")
  if (data.part === "nothing" || box?.style.display) box?.style.setProperty("display", data.part === "nothing" ? "none" : "")
}


function make(tag, className, ...inside) {
  const element = document.createElement(tag)
  if (className) element.className = className
  element.append(...inside.filter((part) => part !== null && part !== undefined && part !== ""))
  return element
}

function svg(tag, attributes, ...inside) {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...inside)
  return element
}

// The shape, colour and letter of an option, shown beside its name.
function mark(letter) {
  const place = letter ? letter.charCodeAt(0) - 65 : SHAPES.length - 1
  const shape = Math.min(place, SHAPES.length - 1)
  return svg(
    "svg",
    { class: `mark of-${shape}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: SHAPES[shape] }),
    svg("text", { x: 12, y: shape === TRIANGLE ? 19 : 16 }, letter),
  )
}

function pressed(className, words, then) {
  const button = make("button", className, words)
  button.type = "button"
  button.addEventListener("click", then)
  return button
}

// What a reader has chosen in a part; a redraw keeps it.
const KEPT = new WeakMap()

function keptFor(root, begin) {
  if (!KEPT.has(root)) KEPT.set(root, begin())
  return KEPT.get(root)
}

const TYPING_MS = 150

// A field whose text `then` gets once typing pauses.
function searchField(label, value, then) {
  const field = make("input", "search")
  Object.assign(field, { type: "search", value, placeholder: label, autocomplete: "off" })
  field.setAttribute("aria-label", label)
  let waiting
  field.addEventListener("input", () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => then(field.value), TYPING_MS)
  })
  return field
}

// A field with one of these [value, words].
function selectField(label, choices, value, then) {
  const options = choices.map(([key, words]) => {
    const option = make("option", "", words)
    option.value = key
    return option
  })
  const field = make("select", "", ...options)
  field.value = value
  field.setAttribute("aria-label", label)
  field.addEventListener("change", () => then(field.value))
  return make("label", "choose", make("span", "", label), field)
}

// One stop for the Tab key among many buttons; arrows, Home and End move between them. `steps` gives the step of a key.
function rove(box, buttonsOf, stepOf = ({ key }, at, buttons) => ({ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 })[key]) {
  const reach = (buttons, at) => buttons.forEach((button, place) => (button.tabIndex = place === at ? 0 : -1))
  reach(buttonsOf(), 0)
  box.addEventListener("focusin", ({ target }) => {
    const buttons = buttonsOf()
    if (buttons.includes(target)) reach(buttons, buttons.indexOf(target))
  })
  box.addEventListener("keydown", (event) => {
    const buttons = buttonsOf()
    const at = buttons.indexOf(event.target)
    const to = at < 0 ? undefined : stepOf(event, at, buttons)
    if (to === undefined) return
    event.preventDefault()
    buttons[to]?.focus()
  })
}

function hueOf(letter) {
  return `of-${Math.min(letter ? letter.charCodeAt(0) - 65 : SHAPES.length - 1, SHAPES.length - 1)}`
}

// --- votes against the line

function votes(data) {
  const drawn = make("div", data.plain ? "votes plain" : "votes")
  drawn.setAttribute("role", "img")
  drawn.setAttribute("aria-label", data.alt)
  const hasBefore = data.bars.some((bar) => bar.before !== null)
  const inHeads = data.heads && data.of <= MAX_HEADS && !hasBefore
  if (data.sealed) drawn.append(sealed(data))
  else drawn.append(...data.bars.map((bar) => (inHeads ? headsRow(data, bar) : barRow(data, bar, hasBefore))))
  if (data.bars.some((bar) => bar.each)) drawn.append(percents())
  drawn.append(make("div", "under", make("span", "", under(data)), make("span", "", scale(data))))
  return make("div", "", data.title ? make("p", "caption", data.title) : null, drawn)
}

function under(data) {
  const line = data.needed === null ? data.clause : _("line: {needed} needed", data)
  return [data.ends, line].filter(Boolean).join(" · ")
}

function scale(data) {
  if (data.sealed) return _("{cast} of {eligible} voted", data)
  return data.heads ? _("of {of}", data) : data.unit
}

function row(bar, drawn, figure) {
  const name = make("div", "name", mark(bar.letter), make("span", "", bar.option))
  const drawnRow = make("div", `row ${hueOf(bar.letter)}${bar.wins ? " wins" : ""}`, name, drawn, make("div", "figure", figure))
  if (bar.names) drawnRow.title = bar.names
  return drawnRow
}

function headsRow(data, bar) {
  return row(bar, heads(data, bar.has, "on"), formatNumber(bar.has))
}

function heads(data, on, kind) {
  const slots = make("div", data.of > MAX_HEADS ? "heads many" : "heads")
  for (let place = 0; place < data.of; place++) {
    const slot = make("i", place < on ? kind : "")
    slot.style.setProperty("--at", place)
    slots.append(slot)
  }
  if (data.needed !== null && data.of <= MAX_HEADS) {
    const line = make("b")
    // Between the squares, which are 26 px wide with gaps of 5 px.
    line.style.left = `${data.needed * 31 - 3.5}px`
    slots.append(line)
  }
  return slots
}

// A sealed vote counts heads, so a threshold in weights is not drawn.
function sealed(data) {
  const needed = data.heads ? data.needed : null
  return heads({ ...data, needed, of: data.eligible }, data.cast, "sealed")
}

function plainFigure({ has, mean }) {
  const value = make("span", "", `${formatNumber(has)}\u00a0%`)
  return mean === undefined ? value : make("span", "", value, make("small", "", _(" · mean {mean} %", { mean: formatNumber(mean) })))
}

function barRow(data, bar, hasBefore) {
  const place = (value) => `${(100 * value) / Math.max(data.of, 1)}%`
  const track = make("div", "track", make("div", "axis"))
  const from = hasBefore ? bar.before : 0
  const span = make("div", "span")
  span.style.left = place(Math.min(from, bar.has))
  span.style.width = place(Math.abs(bar.has - from))
  track.append(span)
  for (const value of [data.needed, bar.mean ?? null]) {
    if (value === null) continue
    const line = make("div", "needed")
    line.style.left = place(value)
    track.append(line)
  }
  if (data.plain) return row(bar, track, plainFigure(bar))
  if (hasBefore && from !== bar.has) {
    const dot = make("div", "dot before", formatNumber(from))
    dot.style.left = place(from)
    track.append(dot)
  }
  for (const [name, value] of bar.each ?? []) {
    const ring = make("div", "dot before each")
    ring.title = `${name} ${formatNumber(value)}`
    ring.style.left = place(value)
    track.append(ring)
  }
  const dot = make("div", "dot", formatNumber(bar.has))
  dot.style.left = place(bar.has)
  dot.style.zIndex = 2
  track.append(dot)
  if (!bar.each) return row(bar, track, hasBefore ? change(bar.has - from) : "")
  const drawn = row(bar, track, make("span", "range", rangeOf(bar.each)))
  if (bar.each.length <= MAX_NAMED) drawn.append(givers(bar.each))
  return drawn
}

// The scale below bars of percentages.
function percents() {
  const ticks = [0, 25, 50, 75, 100].map((value) => {
    const tick = make("span", "", formatNumber(value), value % 100 ? "" : "\u202f%")
    tick.style.left = `${value}%`
    return tick
  })
  return make("div", "row", make("div", "track ticks", ...ticks), make("div", "figure", make("span", "range")))
}

// `June 59 · Kim 69`
function givers(each) {
  return make("div", "givers", each.map(([name, value]) => `${name} ${formatNumber(value)}`).join(" · "))
}

// `59–69`, the lowest and the highest value.
function rangeOf(each) {
  const values = each.map(([, value]) => value)
  return [...new Set([Math.min(...values), Math.max(...values)])].map(formatNumber).join("–")
}

function change(difference) {
  const size = formatNumber(Math.abs(Math.round(difference * 100) / 100))
  return difference > 0 ? `+${size}` : difference < 0 ? `−${size}` : "±0"
}

// --- the votes needed, before the first ballot

function rule(data) {
  const drawn = make("div", "rule", data.heads && data.heads <= MAX_HEADS ? emptyHeads(data) : emptyBar(data.share))
  drawn.setAttribute("role", "img")
  drawn.setAttribute("aria-label", data.alt)
  const head = make("div", "rule-title", make("b", "", data.title), make("span", "", data.beside))
  return make("div", "", head, drawn, make("div", "under", make("span", "", data.under)))
}

function emptyHeads(data) {
  return heads({ of: data.heads, needed: data.needed }, 0, "")
}

function emptyBar(share) {
  const bar = make("div", "empty")
  if (share !== null) {
    const line = make("b")
    line.style.left = `${100 * share}%`
    bar.append(line)
  }
  return bar
}

// --- the decision

function hero(data) {
  const told = make(
    "div",
    "told",
    data.status || data.when ? make("div", "status", data.status ? statusOf(data) : null, data.when) : null,
    make("h2", "", data.option ? mark(data.letter) : null, data.headline),
    make("p", "line", data.line),
    ...quoted(data.reasons),
  )
  const others = quoted(data.others)
  const note = data.note ? make("p", "note", data.note) : null
  const more = make("div", "more", facts(data.facts), ...(data.votes ? [] : others), note)
  const drawn = data.votes ? make("div", "drawn", votes(data.votes), ...others) : null
  const list = data.cautions.length ? cautions(data.cautions, data.hints) : null
  return make("section", drawn ? "hero" : "hero alone", told, drawn, more, list)
}

function quoted(rows) {
  return rows.map(([label, text]) => make("p", "others", make("b", "", label), make("span", "", text)))
}

function statusOf(data) {
  return make("span", data.signed ? "chip signed" : "chip", `${data.signed ? "✓ " : ""}${data.status}`)
}

function facts(rows) {
  const list = make("dl")
  for (const [label, value, beside] of rows) {
    const said = make("dd", "", value, beside ? make("span", "", ` ${beside}`) : null)
    list.append(make("div", "", make("dt", "", label), said))
  }
  return list
}

const CAUTION_CLASS = { override: "chip override", grave: "chip grave", missing: "chip", well: "chip", hint: "chip" }
const CAUTION_SIGN = { missing: "", well: "✓ " }

// Chips; a click opens the reason. Passed checks and hints are folded behind one chip each.
function cautions(found, label) {
  const reason = make("p", "reason")
  reason.hidden = true
  reason.setAttribute("role", "status")
  const buttons = found.map((caution) => {
    const chip = make("button", CAUTION_CLASS[caution.level], `${CAUTION_SIGN[caution.level] ?? "! "}${caution.words}`)
    chip.type = "button"
    chip.title = caution.reason
    chip.setAttribute("aria-expanded", "false")
    chip.addEventListener("click", () => {
      const opens = chip.getAttribute("aria-expanded") === "false"
      for (const other of buttons) other.setAttribute("aria-expanded", "false")
      chip.setAttribute("aria-expanded", String(opens))
      reason.textContent = opens ? caution.reason : ""
      reason.hidden = !opens
    })
    return chip
  })
  const chipsOf = (level) => buttons.filter((_chip, place) => found[place].level === level)
  const passed = chipsOf("well")
  const folds = [passed.length > 1 ? foldOf(_("✓ {n} checks passed", { n: passed.length }), passed) : null, foldOf(label, chipsOf("hint"))].filter(Boolean)
  const folded = folds.flatMap((fold) => fold.chips)
  const first = [...buttons.filter((chip) => !folded.includes(chip)), ...folds.map((fold) => fold.opener)]
  return make("div", "cautions", listOf(first), ...folds.map((fold) => fold.list), reason)
}

function listOf(chips) {
  return make("ul", "", ...chips.map((chip) => make("li", "", chip)))
}

// A chip that opens a row of chips; null without any.
function foldOf(label, chips) {
  if (!chips.length) return null
  const list = listOf(chips)
  list.hidden = true
  const opener = make("button", "chip", label)
  opener.type = "button"
  opener.setAttribute("aria-expanded", "false")
  opener.addEventListener("click", () => {
    list.hidden = !list.hidden
    opener.setAttribute("aria-expanded", String(!list.hidden))
    if (list.hidden) list.querySelector('[aria-expanded="true"]')?.click()
  })
  return { chips, list, opener }
}

// A phone has no room for all tabs. The row of tabs is drawn after the strip.
function showOpenTab(looks = 40) {
  const tab = document.querySelector("[data-testid=stTabs] [role=tab][aria-selected=true]")
  if (!tab) {
    if (looks) setTimeout(showOpenTab, 100, looks - 1)
    return
  }
  const box = tab.getBoundingClientRect()
  // A reader further down the page stays there.
  if (box.top >= 0 && box.bottom <= innerHeight) tab.scrollIntoView({ block: "nearest", inline: "center" })
}

function strip(data) {
  showOpenTab()
  const sign = data.option ? mark(data.letter) : null
  return make("section", "strip", sign, make("b", "", data.headline), make("span", "", data.line), statusOf(data))
}

// --- the votes of each seat, and the claims about each option

function moves(data) {
  const heads = data.counts.map((name) => scoped("col", make("th", "", ...inTwoLines(name))))
  const rows = data.seats.flatMap((seat) => [make("tr", "", scoped("row", make("th", "", seat.name)), ...seat.cells.map(cell)), ...whyRow(data, seat)])
  const table = make(
    "table",
    "moves",
    make("thead", "", make("tr", "", scoped("col", make("th", "", _("Seat"))), ...heads)),
    make("tbody", "", ...rows),
  )
  table.style.setProperty("--counts", data.counts.length)
  const box = make("div", "scroll", table)
  // Content wider than a phone scrolls with the keyboard, too.
  requestAnimationFrame(() => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
  })
  return box
}

// Why a seat changed its vote, in one row below its votes.
function whyRow(data, seat) {
  const whys = seat.cells.flatMap(({ why }, at) => (why ? [make("small", "", `${data.counts[at]} · ${why}`)] : []))
  if (!whys.length) return []
  const all = make("td", "", ...whys)
  all.colSpan = data.counts.length + 1
  return [make("tr", "why", all)]
}

// `Round 1 · reply` in two lines, as a reader hears it.
function inTwoLines(name) {
  const [round, ...phase] = name.split(" · ")
  return [make("span", "", round), make("span", "unseen", " · "), make("span", "", phase.join(" · "))]
}

function scoped(scope, cell) {
  cell.scope = scope
  return cell
}

function cell(held) {
  const words = make("span", "", held.words)
  return make("td", "", make("div", held.moved ? "held new" : "held", held.letter ? mark(held.letter) : null, words))
}

const SIDES = {
  for: ["+", message("speaks for it")],
  against: ["−", message("speaks against it")],
  divided: ["±", message("as many people read it for this option as against it")],
  said: ["·", message("said by a seat that chose it")],
}

function reasons(data, send) {
  return make("div", "reasons", ...data.options.map((option) => reasonsOf(option, send)))
}

function reasonsOf(option, send) {
  const head = make("div", "option", mark(option.letter), make("span", "", option.option))
  const lines = option.lines.map((line) => {
    const side = make("i", "", SIDES[line.side][0])
    side.title = _(SIDES[line.side][1])
    const open = pressed("claim", line.name, () => send("open", line.claim))
    return make("p", "", side, make("span", "", line.text, " ", make("small", "", open, `, ${line.beside}`)))
  })
  const none = option.lines.length ? [] : [make("p", "", make("i", "", ""), make("small", "", _("No claim is known to be about this option yet.")))]
  return make("div", "", head, ...lines, ...none)
}

// The stages of a decision, for new users.
function way(data) {
  return make("ol", "steps short", ...data.names.map((name, at) => make("li", at ? "" : "now", name)))
}

const PARTS = { votes, rule, hero, strip, moves, reasons, way }
// What a part does with the fields that cause no redraw.
const PASSED = {}
