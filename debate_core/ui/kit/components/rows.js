// --- debates as rows

// Up to this number, voters in a row are drawn as squares; more are a bar.
const MAX_SMALL_HEADS = 24

function list(data, send) {
  const draw = data.dense ? denseRow : rowOf
  const rows = data.rows.map((one) => draw(one, () => send("open", one.name), () => send("again", one.name)))
  const drawn = make("ul", data.dense ? "list dense" : "list", ...rows)
  drawn.setAttribute("aria-label", data.label)
  return drawn
}

function rowOf(one, open, again) {
  const question = one.button ? make("span", "question", one.question) : pressed("question", one.question, open)
  if (!one.button && one.nth > 1) question.setAttribute("aria-label", nameOf(one))
  const asked = make("div", "asked", question, make("div", "beside", one.beside, ...chips(one)))
  const end = make("div", "end", one.date)
  if (one.button) {
    const button = pressed(one.primary ? "act primary" : "act", one.button, open)
    button.setAttribute("aria-label", `${one.button}: ${nameOf(one)}`)
    end.replaceChildren(button)
  }
  if (one.again) end.prepend(againButton(one, again))
  return make("li", "", asked, make("div", "stands", stands(one)), make("div", "count", ...count(one)), end)
}

// The question, with a number if others have the same.
function nameOf(one) {
  return one.nth > 1 ? `${one.question} (${one.nth})` : one.question
}

function chips(one) {
  const override = one.override ? [make("span", "chip override", `! ${one.override}`)] : []
  return [...override, ...one.chips.map((words) => make("span", "chip", words))]
}

// The letter of the decided option; nothing for a decision without one.
function signOf(one) {
  return one.letter ? mark(one.letter) : one.decided ? null : make("i", "open")
}

// An arrow that goes round.
const AGAIN = "M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z"

// Two lines: the question; the decision, its status and its day. The whole row opens the debate.
function denseRow(one, open, again) {
  const question = pressed("question", one.question, open)
  question.setAttribute("aria-label", one.button ? `${one.button}: ${nameOf(one)}` : nameOf(one))
  question.title = one.question
  const told = [one.stands, one.beside === one.stands ? "" : one.beside, one.date].filter(Boolean)
  const outcome = make("b", "", told[0])
  outcome.title = told[0]
  const rest = told.length > 1 ? make("span", "rest", ` · ${told.slice(1).join(" · ")}`) : null
  const beside = make("div", "beside", signOf(one), outcome, rest, ...chips(one))
  const item = make("li", "", question, beside)
  if (one.button) item.append(make("span", "verb", one.button))
  if (one.again) item.append(againButton(one, again))
  return item
}

function againButton(one, again) {
  const button = pressed("again", "", again)
  const sign = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: AGAIN }))
  button.append(make("span", "", one.again), sign)
  button.title = one.again
  button.setAttribute("aria-label", `${one.again}: ${nameOf(one)}`)
  return button
}

// The progress or the decision.
function stands(one) {
  if (!one.stands) return null
  if (one.phases.length) {
    const bar = make("div", "phases", ...one.phases.map((when) => make("i", when)))
    return make("div", "", bar, make("div", "beside", one.stands))
  }
  return make("div", "decided", signOf(one), make("b", "", one.stands))
}

function count(one) {
  const { votes } = one
  if (!votes) return [one.count ? make("div", "beside", one.count) : null]
  const small = votes.heads && votes.of <= MAX_SMALL_HEADS ? smallHeads(votes) : smallBar(votes)
  small.setAttribute("role", "img")
  small.setAttribute("aria-label", votes.alt)
  return [small, make("div", "beside", one.count)]
}

function smallHeads(votes) {
  const drawn = make("div", `small ${hueOf(votes.letter)}${votes.letter ? "" : " of-none"}`)
  for (let place = 0; place < votes.of; place++) {
    if (place === votes.needed) drawn.append(make("b"))
    drawn.append(make("i", place < votes.has ? (votes.sealed ? "sealed" : "on") : ""))
  }
  if (votes.needed !== null && votes.needed >= votes.of) drawn.append(make("b"))
  return drawn
}

function smallBar(votes) {
  const share = (value) => `${Math.min((100 * value) / Math.max(votes.of, 1), 100)}%`
  const full = make("span", votes.sealed ? "sealed" : "on")
  full.style.width = share(votes.has)
  const drawn = make("div", `small bar ${hueOf(votes.letter)}${votes.letter ? "" : " of-none"}`, full)
  if (votes.needed !== null) {
    const line = make("b")
    line.style.left = share(votes.needed)
    drawn.append(line)
  }
  return drawn
}

Object.assign(PARTS, { list })
