// Draws the panel of a room, which the live socket keeps up to date. Uses only text nodes; counts nothing.

// --- the agenda

function steps(data) {
  const list = make("ol", "steps", ...data.steps.map(step))
  list.setAttribute("aria-label", _("Agenda"))
  return list
}

function step({ name, when, beside }) {
  const item = make("li", when, when === "done" ? "✓ " : null, name, beside ? make("small", "", ` · ${beside}`) : null)
  if (when === "now") item.setAttribute("aria-current", "step")
  return item
}

// --- status and count

function statusLine(data) {
  const chip = make("span", "chip of-status", make("i"), data.words)
  chip.dataset.colour = data.colour
  const last = data.last ? make("span", "chip last", data.last) : null
  const line = data.line ? make("span", "stands", data.line) : null
  const clock = data.ends_ms ? timeLeft(data.ends_ms) : null
  const counted = data.count ? smallCount(data.count) : null
  const beside = make("span", "beside", counted, clock)
  return make("div", "status-line", make("p", "", chip, last, line), beside.childNodes.length ? beside : null, data.next ? make("p", "next", data.next) : null, data.waits ? make("p", "waits", data.waits) : null)
}

function smallCount(data) {
  const options = data.options.map(([letter, option, has]) => {
    const one = make("span", `votes-of ${hueOf(letter)}`, mark(letter), formatNumber(has))
    one.title = option
    return one
  })
  const drawn = make("span", "small-count", data.title ? make("span", "title", data.title) : null, ...options, data.words ? make("span", "", data.words) : null)
  drawn.setAttribute("role", "img")
  drawn.setAttribute("aria-label", data.alt)
  return drawn
}

// The clock warns within the last minute and ends nothing.
const WARN_S = 60

function timeLeft(ends_ms) {
  const left = make("b")
  const words = make("span")
  const clock = make("span", "time-left", left, " ", words)
  clock.setAttribute("role", "timer")
  const tick = () => {
    // The clock of a phone may be wrong: live.js knows how far it is ahead of the server's.
    const seconds = Math.round((ends_ms - Date.now() + (globalThis.debateAhead ?? 0)) / 1000)
    const size = Math.abs(seconds)
    left.textContent = `${Math.floor(size / 60)}:${String(size % 60).padStart(2, "0")}`
    const state = seconds < 0 ? "over" : seconds <= WARN_S ? "little" : "enough"
    if (state === clock.dataset.state) return
    clock.dataset.state = state
    words.textContent = state === "over" ? _("over time") : state === "little" ? _("left: little time") : _("left")
    clock.setAttribute("aria-label", `${Math.floor(size / 60)} ${_("minutes")} ${words.textContent}`)
  }
  tick()
  const ticking = setInterval(() => (clock.isConnected ? tick() : clearInterval(ticking)), 500)
  return clock
}

function soFar(data) {
  const warnings = data.warnings.map((words) => make("p", "caution", words))
  const [leading, near] = data.lead
  const lead = near ? make("p", "lead", leading ? make("b", "", `${leading}: `) : null, near) : null
  const ballots = data.ballots.map(([name, words]) => make("li", "", make("b", "", `${name}: `), words))
  return make("div", "so-far", ...data.votes.map(votes), lead, ballots.length ? make("ul", "", ...ballots) : null, ...warnings)
}

Object.assign(PARTS, { nothing: () => "", steps, status: statusLine, count: soFar })

// --- the vote or the step of preparation of this moment, for those who lead

function turnout(data, send, root) {
  const rings = data.rings.map(turnoutRing)
  const names = data.missing.map(({ name }) => make("li", "", make("i"), make("b", "", name)))
  const more = data.more ? make("li", "", _("{n} more", { n: data.more })) : null
  const missing = names.length ? make("ul", "missing", ...names, more) : null
  const left = data.left ? make("p", names.length ? "left" : "left all", names.length ? null : "✓ ", data.left) : null
  const options = data.options.map(([letter, option]) => make("li", "", letter ? mark(letter) : null, make("span", "", option)))
  if (names.length) {
    followHere(root, (known) => {
      const here = known && new Set(known.here)
      data.missing.forEach(({ id }, at) => showPresence(names[at], here && here.has(id)))
    })
  }
  const done = rings.length ? make("div", "done", make("div", "rings", ...rings), make("div", "", left, missing)) : null
  const asked = options.length ? make("ul", "asked", ...options) : null
  return make("div", "turnout", make("h2", "", data.title), done, asked, data.under ? make("p", "under", data.under) : null)
}

function turnoutRing({ label, done, of }) {
  const circle = { cx: 50, cy: 50, r: 44, pathLength: 100 }
  const drawn = svg(
    "svg",
    { viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("circle", circle),
    done ? svg("circle", { ...circle, class: "in", "stroke-dasharray": `${(100 * done) / of} 100` }) : "",
  )
  const words = make("div", "", make("b", "", _("{cast} of {eligible}", { cast: done, eligible: of })), label ? make("span", "", label) : null)
  return make("div", "ring", drawn, words)
}

PARTS.turnout = turnout

// --- people who are here, and who asks for help

// For each root, what draws it again when the live socket knows more.
const HERE = new WeakMap()

function followHere(root, draw) {
  document.removeEventListener("debate-here", HERE.get(root))
  const follow = () => (root.isConnected ? draw(globalThis.debateHere) : document.removeEventListener("debate-here", follow))
  HERE.set(root, follow)
  document.addEventListener("debate-here", follow)
  draw(globalThis.debateHere)
}

// Rows, and names side by side, that a facilitator reads at a glance; the others unfold.
const MAX_PEOPLE = 8
const MAX_NAMES = 12

function progress(data, send, root) {
  const calls = make("ul", "calls")
  calls.setAttribute("role", "status")
  const rows = data.people.map(personRow)
  // Only those who are awaited are in sight. While people gather, all names are side by side.
  const named = data.looks === "names"
  const n_tasks = data.people.filter((person) => person.done === false).length
  const n_shown = named ? MAX_NAMES : data.looks === "folded" ? 0 : Math.min(MAX_PEOPLE, n_tasks)
  const people = make("ul", "", ...rows.slice(0, n_shown))
  const others = rows.slice(n_shown)
  const more = others.length ? make("details", "", make("summary", "", n_shown ? _("{n} more", { n: others.length }) : _("Everyone ({n})", { n: others.length })), make("ul", "", ...others)) : null
  const away = make("p", "away")
  followHere(root, (known) => {
    const here = known && new Set(known.here)
    const gone = data.people.filter((person) => person.away && here && !here.has(person.id))
    away.textContent = gone.map((person) => person.away).join(" ")
    data.people.forEach(({ id, done }, at) => {
      showPresence(rows[at], here && here.has(id))
      // Who is awaited and gone is said in words.
      rows[at].querySelector("small").textContent = !named && done === false && here && !here.has(id) ? ` · ${_(PRESENCE.gone)}` : ""
    })
    calls.replaceChildren(...(known?.calls ?? []).map(([id, name]) => callRow(name, () => send("answered", id))))
  })
  return make("div", named ? "progress names" : "progress", calls, data.left ? make("p", "left", data.left) : null, away, people, more)
}

const PRESENCE = { here: message("online"), gone: message("not connected now"), unknown: message("not known yet") }

function personRow({ name, role, does, done }) {
  const told = make("span", done === false ? "does open" : "does", done ? "✓ " : null, does)
  return make("li", "", make("i"), make("span", "who", make("b", "", name), role ? `, ${role}` : null, make("small")), told)
}

function showPresence(row, isHere) {
  const presence = isHere === undefined ? "unknown" : isHere ? "here" : "gone"
  const dot = row.querySelector("i")
  dot.className = presence
  dot.title = _(PRESENCE[presence])
  dot.setAttribute("role", "img")
  dot.setAttribute("aria-label", dot.title)
}

function callRow(name, answered) {
  const button = pressed("act", _("Done"), answered)
  button.setAttribute("aria-label", _("Done: {name} has been helped", { name }))
  return make("li", "", make("b", "", _("{name} needs help", { name })), button)
}

function bell(data, send, root) {
  const button = pressed("act", "", () => {
    button.disabled = true
    send("wants", button.dataset.calling === "true" ? "answered" : "call")
  })
  followHere(root, (known) => {
    const calling = known?.debate === data.debate ? known.calling : data.calling
    button.disabled = false
    button.dataset.calling = calling
    button.textContent = calling ? _("✓ Asked for help: undo") : _("I need help")
    button.setAttribute("aria-label", calling ? _("You asked for help: undo") : _("I need help"))
  })
  return make("div", "bell", button)
}

Object.assign(PARTS, { progress, bell })
