// Claims with the answers to them, in a column for each option or seat; the most urgent first.

const LANES = { letter: message("By option"), seat: message("By seat") }
// Deeper answers are not indented further, so that they stay readable.
const MAX_INDENT = 3
// In a map of more claims, answers begin folded.
const MAX_SPREAD = 24

function argumentMap(data, shown, kept, press, fill) {
  const by = kept.lanes ?? "letter"
  const inMap = new Map(shown.map((claim) => [claim.id, claim]))
  const answers = new Map(shown.map((claim) => [claim.id, []]))
  const roots = []
  for (const claim of shown) {
    const to = answeredBy(claim, inMap)[0]
    if (to) answers.get(to.id).push(claim)
    else roots.push(claim)
  }
  const urgent = (claim) => URGENCY.indexOf(claim.status)
  roots.sort((a, b) => urgent(a) - urgent(b) || a.number - b.number)
  const below = (claim) => answers.get(claim.id).flatMap((answer) => [answer, ...below(answer)])
  const draw = (claim, depth) => {
    const button = node(claim, depth, by, inMap, press)
    const inside = below(claim)
    if (!inside.length) return make("li", "", button)
    const folds = shown.length > MAX_SPREAD
    const isOpen = !folds || kept.unfolded.has(claim.id) || inside.some(({ id }) => id === kept.claim)
    const fold = folds ? foldButton(claim, inside, isOpen, kept, fill) : null
    const under = isOpen ? make("ul", depth < MAX_INDENT ? "" : "flat", ...answers.get(claim.id).map((answer) => draw(answer, depth + 1))) : null
    return make("li", "", button, fold, under)
  }
  const lanes = laneNames(data, roots, by).map(([key, ...name]) => {
    const inLane = roots.filter((claim) => claim[by] === key)
    const list = make("ul", "", ...inLane.map((claim) => draw(claim, 0)))
    const lane = make("section", `lane ${by === "letter" ? hueOf(key) : ""}`, make("h3", "", ...name, openCount(inLane.flatMap((claim) => [claim, ...below(claim)]))), list)
    lane.setAttribute("aria-label", by === "letter" ? (data.options.find(({ letter }) => letter === key)?.option ?? _("No option")) : key)
    return lane
  })
  const box = make("div", "map", ...lanes)
  const lanesOf = (button) => lanes.findIndex((lane) => lane.contains(button))
  const beside = (buttons, at, by) => buttons.findIndex((button) => lanesOf(button) === lanesOf(buttons[at]) + by)
  rove(box, () => [...box.querySelectorAll("button.node")], ({ key }, at, buttons) => {
    if (key === "ArrowRight" || key === "ArrowLeft") return Math.max(beside(buttons, at, key === "ArrowRight" ? 1 : -1), -1)
    return { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[key]
  })
  const ways = Object.entries(LANES).map(([way, name]) => {
    const button = pressed("toggle", _(name), () => {
      kept.lanes = way
      const root = box.getRootNode()
      fill()
      root.querySelector(`.ways [data-way=${way}]`)?.focus()
    })
    button.dataset.way = way
    button.setAttribute("aria-pressed", String(way === by))
    return button
  })
  return [make("div", "ways", ...ways, make("span", "key", _("Answers are below the claim they answer; open claims come first."))), box]
}

// The earlier claims that a claim answers, among these.
function answeredBy(claim, inMap) {
  const found = claim.links.filter(({ verb }) => verb === "answers").map((link) => inMap.get(link.claim))
  return found.filter((other) => other && other.number < claim.number)
}

// The key of each lane with its heading, in the order of the options or of the first claims.
function laneNames(data, roots, by) {
  if (by === "seat") return [...new Set(roots.map((claim) => claim.seat))].map((seat) => [seat, make("span", "", seat)])
  const used = new Set(roots.map((claim) => claim.letter))
  const named = data.options.filter(({ letter }) => letter && used.has(letter)).map(({ letter, option }) => [letter, mark(letter), make("span", "", option)])
  return used.has("") ? [...named, ["", make("span", "", _("No option"))]] : named
}

function foldButton(claim, inside, isOpen, kept, fill) {
  const unanswered = inside.filter(({ status }) => status === "Unanswered").length
  const many = inside.length === 1 ? _("1 answer") : _("{n} answers", { n: inside.length })
  const words = unanswered ? `${many}, ${_("{open} unanswered", { open: unanswered })}` : many
  const button = pressed("fold", `${isOpen ? "▾" : "▸"} ${words}`, () => {
    if (isOpen) kept.unfolded.delete(claim.id)
    else kept.unfolded.add(claim.id)
    if (isOpen && inside.some(({ id }) => id === kept.claim)) kept.claim = ""
    const root = button.getRootNode()
    fill()
    root.querySelector(`[data-fold="${CSS.escape(claim.id)}"]`)?.focus()
  })
  button.dataset.fold = claim.id
  button.setAttribute("aria-expanded", String(isOpen))
  button.setAttribute("aria-label", `${_("Claim {number}", claim)}: ${words}`)
  return button
}

function openCount(claims) {
  const open = claims.filter(({ status }) => status === "Unanswered").length
  return make("small", "", open ? _("{open} of {of} unanswered", { open, of: claims.length }) : String(claims.length))
}

function node(claim, depth, by, inMap, press) {
  const also = answeredBy(claim, inMap).slice(1).map(({ number }) => _("also answers claim {number}", { number }))
  const accepted = claim.links.filter(({ verb }) => verb === "accepted by").map(({ who }) => _("accepted by {who}", { who }))
  const about = by === "seat" || depth ? sideCell(claim) : claim.side && claim.side !== "said" ? make("span", "", _(ABOUT[claim.side])) : null
  const button = pressed(`node${claim.crux ? " decisive" : ""}`, "", () => press(claim))
  button.append(
    make("span", "number", depth ? `↳ ${claim.number}` : String(claim.number)),
    make("span", "text", claim.text),
    make("span", "state", ...(by === "seat" && !depth ? [] : [make("span", "who", claim.seat)]), about ?? "", statusChip(claim), claim.crux ? cruxChip() : "", ...[...accepted, ...also].map((words) => make("span", "", words))),
  )
  button.dataset.claim = claim.id
  return button
}
