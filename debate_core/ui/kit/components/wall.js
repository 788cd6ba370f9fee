// --- the wall: six scenes over the whole screen, from the shapes of `wall.py`

// Above this number, dots are too many to count by eye.
const MAX_DOTS = 60
// Above this number, options are smaller, and those of a ballot in columns.
const MAX_IN_COLUMN = 5
// A longer headline is smaller, with up to two lines.
const MAX_IN_LINE = 24
// A longer question is smaller in the lobby.
const MAX_LARGE = 60
// Above this number, only the number of seats is shown.
const MAX_SLOTS = 5
const REVEAL_MS = 1000

function wall(data, _send, root) {
  const { frame, shown } = data
  const foot = frame.foot.map(([label, value]) => make("span", "", label ? `${label} ` : null, make("b", "", value)))
  return make(
    "section",
    `wall is-${shown.scene}`,
    make(
      "header",
      "",
      shown.scene === "lobby" ? null : make("h1", "", frame.question),
      frame.override ? make("span", "tag override", `! ${frame.override}`) : null,
      ...frame.chips.map((words) => make("span", "tag", words)),
      make("span", "clock", frame.clock),
      agendaOf(frame.steps),
    ),
    SCENES[shown.scene](shown, root),
    make("footer", "", ...foot, frame.beside ? make("span", "beside", frame.beside) : null),
  )
}

function agendaOf(steps) {
  const list = make("ol", "agenda", ...steps.map(stepOf))
  list.setAttribute("aria-label", _("Agenda"))
  return list
}

function stepOf({ name, when, beside }) {
  const words = beside ? `${name} · ${beside}` : name
  const item = make("li", when, when === "now" ? words : null)
  if (when === "now") item.setAttribute("aria-current", "step")
  else item.setAttribute("aria-label", words)
  return item
}

// --- the scenes

function lobbyScene({ qr, code, address, closed, here, come, expected, title, options }) {
  const present = make("div", "present", make("p", "here", here), closed ? make("p", "mute", closed) : dotsOf(come, Math.max(expected, come)))
  const question = make("h1", title.length > MAX_LARGE ? "long" : "", title)
  if (!qr.length) return make("div", "scene gather", question, cardsOf(options), present)
  const open = make("p", "", _("Scan, or open"), " ", make("b", "address", address))
  const type = make("p", "", _("and type"), " ", make("b", "code", code))
  return make("div", "scene join", question, picture(qr), make("div", "ways", open, type, present), cardsOf(options))
}

function dotsOf(done, of) {
  const dots = make("span", "dots")
  for (let place = 0; of <= MAX_DOTS && place < of; place++) dots.append(make("i", place < done ? "come" : ""))
  dots.setAttribute("role", "img")
  dots.setAttribute("aria-label", _("{cast} of {eligible}", { cast: done, eligible: of }))
  return dots
}

function cardsOf(options) {
  const cards = options.map(({ letter, option }) => make("li", "", letter ? mark(letter) : null, make("span", "", option)))
  const list = make("ul", options.length > MAX_IN_COLUMN ? "cards many" : "cards", ...cards)
  list.style.setProperty("--columns", Math.ceil(options.length / (2 * MAX_IN_COLUMN - 3)))
  return list
}

function picture(rows) {
  const size = rows.length
  const dark = rows.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === "1" ? [`M${x} ${y}h1v1h-1z`] : [])))
  return svg(
    "svg",
    { class: "qr", viewBox: `-2 -2 ${size + 4} ${size + 4}`, role: "img", "aria-label": _("QR code to join") },
    svg("path", { d: dark.join("") }),
  )
}

function roundScene({ speaker, letter, doing, claim, quote, source, now, given, planned, title, options, named }) {
  const name = speaker ? make("p", "speaker", letter ? mark(letter) : null, speaker, make("small", "", doing)) : null
  const words = claim ? make("p", "claim", claim) : null
  const under = quote ? make("blockquote", "", quote, make("footer", "", source)) : null
  const next = now ? make("p", "now", now, dotsOf(given, planned)) : null
  const said = make("div", "said", name, words, under, next)
  const many = options.length > MAX_IN_COLUMN ? " many" : ""
  const stand = make("div", `stand${many}`, make("p", "mute", title), ...options.map((one) => standOf(one, true)))
  return make("div", named ? "scene round" : "scene round claimed", said, stand)
}

// A vote of advice below a decision has letters; screen readers still read the names.
function standOf({ letter, option, has, of }, named) {
  const slots = make("div", "slots")
  const inHeads = has !== null && of <= MAX_SLOTS
  for (let place = 0; inHeads && place < of; place++) slots.append(make("i", place < has ? "on" : ""))
  const name = named ? make("span", "name", option) : null
  const drawn = make("div", `stands ${hueOf(letter)}`, mark(letter), name, slots, make("b", "", has === null ? "" : formatNumber(has)))
  if (!named) {
    drawn.setAttribute("role", "img")
    drawn.setAttribute("aria-label", has === null ? option : `${option}: ${formatNumber(has)}`)
  }
  return drawn
}

function voteScene({ title, way, line, options, rings }) {
  const drawn = make("div", "rings", ...rings.map(ring), line ? make("p", "mute", line) : null)
  return make("div", "scene vote", make("div", "", make("h2", "", title), way ? make("p", "way", way) : null, cardsOf(options)), drawn)
}

function ring({ label, cast, eligible }) {
  const share = eligible ? (100 * cast) / eligible : 0
  const circle = { cx: 50, cy: 50, r: 44, pathLength: 100 }
  const drawn = svg(
    "svg",
    { viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("circle", circle),
    svg("circle", { ...circle, class: share ? "in" : "none", "stroke-dasharray": `${share} 100` }),
  )
  return make("div", "ring", drawn, make("div", "", make("b", "", _("{cast} of {eligible}", { cast, eligible })), label ? make("span", "", label) : null))
}

function revealScene({ letter, headline, line, note, scale, votes: cast, advice = [], recommended }) {
  const name = make("span", "", headline)
  const title = make("h2", headline.length > MAX_IN_LINE ? "long" : "", letter ? mark(letter) : null, name)
  const under = make("p", line ? "line" : "line alone", line, note ? make("small", "", note) : null)
  return make("div", "scene reveal", title, under, cast ? against(cast, scale) : null, ...advice.map(advised), recommended ? rankedOptions(recommended) : null)
}

// A tournament: the ranking of the best, and the current comparison.
function rankedScene({ title, now, ranked: drawn }, root) {
  return make("div", "scene ranked-scene", make("h2", "", title), rankedRows(drawn, root), now ? make("p", "mute", now) : null)
}

// Votes that do not decide: one row without a threshold, options by letter.
function advised(data) {
  const of = data.heads ? data.of : Infinity
  const each = data.bars.map(({ letter, option, has }) => standOf({ letter, option, has, of }, false))
  const row = make("div", "advised", make("span", "mute", data.title), ...each)
  row.setAttribute("role", "img")
  row.setAttribute("aria-label", data.alt)
  return row
}

// A ranked recommendation, which decides nothing: one row of places.
function rankedOptions({ title, alt, rows }) {
  const each = rows.map(({ place, letter, option }) => make("span", "placed", make("b", "", place), letter ? mark(letter) : null, option))
  const row = make("div", "advised", make("span", "mute", title), ...each)
  row.setAttribute("role", "img")
  row.setAttribute("aria-label", alt)
  return row
}

// The votes with the threshold, in the size of the wall; options appear one after the other.
function against(data, scale = "") {
  const hasBefore = data.bars.some((bar) => bar.before !== null)
  const drawn = make("div", data.bars.length > MAX_IN_COLUMN ? "votes many" : "votes", data.needed === null ? null : neededHead(data))
  drawn.setAttribute("role", "img")
  drawn.setAttribute("aria-label", data.alt)
  const each = REVEAL_MS / Math.max(data.bars.length, 1)
  data.bars.forEach((bar, place) => {
    const line = barRow(data, bar, hasBefore)
    line.style.setProperty("--after", `${Math.round(place * each)}ms`)
    drawn.append(line)
  })
  return make("div", "drawn", drawn, make("p", "legend", make("span", "", wallLegend(data)), make("span", "", scale)))
}

// The number of votes needed, above its line.
function neededHead(data) {
  const words = make("span", "at", _("{needed} needed", data))
  words.style.left = `${(100 * data.needed) / Math.max(data.of, 1)}%`
  return make("div", "row needs", "", make("div", "track", words))
}

function wallLegend(data) {
  return [data.title, data.ends].filter(Boolean).join("   ")
}

const SCENES = { lobby: lobbyScene, round: roundScene, vote: voteScene, ranked: rankedScene, reveal: revealScene, signed: revealScene }
PARTS.wall = wall
PASSED.wall = ({ frame }, root) => (root.querySelector(".clock").textContent = frame.clock)
