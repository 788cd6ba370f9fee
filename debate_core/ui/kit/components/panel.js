// Draws the panel of a room, which the live socket keeps up to date. Uses only text nodes; counts nothing.

// --- the agenda

function steps(data) {
  const list = make("ol", "steps", ...data.steps.map(step))
  list.setAttribute("aria-label", _("Agenda"))
  return list
}

function step({ name, when, beside }) {
  const item = make("li", when, when === "done" ? "✓ " : null, name, beside ? make("small", "", ` ${beside}`) : null)
  if (when === "now") item.setAttribute("aria-current", "step")
  return item
}

// --- status and count

function boldLine(data) {
  return make("b", "", data.words)
}

function statusLine(data) {
  const chip = make("span", "chip of-status", make("i"), data.words)
  chip.dataset.colour = data.colour
  const waits = data.waits ? make("p", "waits", data.waits) : null
  return make("div", "now", make("p", "", chip, data.line ? make("span", "", data.line) : null), waits)
}

function soFar(data) {
  const warnings = data.warnings.map((words) => make("p", "caution", words))
  const [leading, near] = data.lead
  const lead = near ? make("p", "lead", leading ? make("b", "", `${leading}: `) : null, near) : null
  const ballots = data.ballots.map(([name, words]) => make("li", "", make("b", "", `${name}: `), words))
  const agreement = data.agreement ? make("p", "agreement", data.agreement) : null
  return make("div", "so-far", ...data.votes.map(votes), lead, ballots.length ? make("ul", "", ...ballots) : null, agreement, ...warnings)
}

Object.assign(PARTS, { nothing: () => "", steps, line: boldLine, status: statusLine, count: soFar })
