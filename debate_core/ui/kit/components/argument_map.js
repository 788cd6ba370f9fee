// Claims with the answers to them, in a column for each option or seat; the most urgent first. Many claims begin as an
// overview: a folded group for each seat in the column of an option, or for each option in the column of a seat.

const LANES = { letter: message("By option"), seat: message("By seat") }
const OPEN_FIRST = ["Unanswered", "Contested", "Agreed"]
// Deeper answers are not indented further, so that they stay readable.
const MAX_INDENT = 3
// A map of more claims begins as an overview.
const MAX_SPREAD = 24

function argumentMap(data, shown, kept, press, fill) {
  const by = kept.lanes ?? "letter"
  const isLarge = shown.length > MAX_SPREAD
  const inMap = new Map(shown.map((claim) => [claim.id, claim]))
  const answers = new Map(shown.map((claim) => [claim.id, []]))
  for (const claim of shown) {
    // Below its groups, a claim appears with each claim that it answers; in the whole tree, once.
    for (const to of answeredBy(claim, inMap).slice(0, isLarge ? undefined : 1)) answers.get(to.id).push(claim)
  }
  const map = { data, by, inMap, answers, kept, press, isLarge }
  const first = mostUrgent(isLarge ? shown : shown.filter((claim) => !answeredBy(claim, inMap).length))
  const lanes = laneNames(data, first, by).map(([key, ...name]) => {
    const inLane = first.filter((claim) => claim[by] === key)
    const list = make("ul", "", ...(isLarge ? groups(map, inLane) : inLane.map((claim) => branch(map, claim, 0))))
    const lane = make("section", `lane ${by === "letter" ? hueOf(key) : ""}`, make("h3", "", ...name, openCount(shown.filter((claim) => claim[by] === key))), list)
    lane.setAttribute("aria-label", by === "letter" ? optionOf(data, key) : key)
    return lane
  })
  const box = make("div", "map", ...lanes)
  rove(box, () => [...box.querySelectorAll("button")], (event, at, buttons) => mapStep(lanes, event.key, at, buttons))
  const redraw = (focus) => {
    const root = box.getRootNode()
    fill()
    root.querySelector(focus)?.focus()
  }
  const ways = Object.entries(LANES).map(([way, name]) => {
    const button = pressed("toggle", _(name), () => {
      kept.lanes = way
      redraw(`.ways [data-way=${way}]`)
    })
    button.dataset.way = way
    button.setAttribute("aria-pressed", String(way === by))
    return button
  })
  const about = isLarge ? _("Filled: answered claims. Hollow: unanswered ones, first.") : _("Answers are below the claim they answer; open claims come first.")
  return [make("div", "ways", ...ways, isLarge ? foldAllButton(map, shown, redraw) : null, make("span", "key", about)), box]
}

function mostUrgent(claims) {
  const urgent = (claim) => OPEN_FIRST.indexOf(claim.status)
  return [...claims].sort((a, b) => urgent(a) - urgent(b) || a.number - b.number)
}

const unanswered = (claims) => claims.filter(({ status }) => status === "Unanswered").length

// Up and down move between all buttons, left and right fold a group or move between columns.
function mapStep(lanes, key, at, buttons) {
  const isOpen = buttons[at].getAttribute("aria-expanded")
  if ((key === "ArrowRight" && isOpen === "false") || (key === "ArrowLeft" && isOpen === "true")) {
    buttons[at].click()
    return at
  }
  const laneOf = (button) => lanes.findIndex((lane) => lane.contains(button))
  const beside = (by) => buttons.findIndex((button) => laneOf(button) === laneOf(buttons[at]) + by)
  if (key === "ArrowRight" || key === "ArrowLeft") return beside(key === "ArrowRight" ? 1 : -1)
  return { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[key]
}

function optionOf(data, letter) {
  return data.options.find((one) => one.letter === letter)?.option ?? _("No option")
}

// The earlier claims that a claim answers, among these.
function answeredBy(claim, inMap) {
  const found = claim.links.filter(({ verb }) => verb === "answers").map((link) => inMap.get(link.claim))
  return found.filter((other) => other && other.number < claim.number)
}

// The key of each lane with its heading, in the order of the options or of the first claims.
function laneNames(data, claims, by) {
  if (by === "seat") return [...new Set(claims.map((claim) => claim.seat))].sort().map((seat) => [seat, make("span", "", seat)])
  const used = new Set(claims.map((claim) => claim.letter))
  const named = data.options.filter(({ letter }) => letter && used.has(letter)).map(({ letter, option }) => [letter, mark(letter), make("span", "", option)])
  return used.has("") ? [...named, ["", make("span", "", _("No option"))]] : named
}

// --- the overview

const groupKey = (claim) => `${claim.letter} ${claim.seat}`

// A folded group for each seat or option of a lane, the one with the most unanswered claims first.
function groups(map, inLane) {
  const found = new Map()
  for (const claim of inLane) found.set(groupKey(claim), [...(found.get(groupKey(claim)) ?? []), claim])
  const sorted = [...found].sort(([, a], [, b]) => unanswered(b) - unanswered(a) || b.length - a.length)
  return sorted.map(([key, claims]) => group(map, key, claims))
}

function group(map, key, claims) {
  const [{ letter, seat }] = claims
  const name = map.by === "letter" ? [make("span", "", seat)] : [letter ? mark(letter) : "", make("span", "", optionOf(map.data, letter))]
  // The claim that is open to read is in sight.
  if (claims.some(({ id }) => id === map.kept.claim)) map.kept.unfolded.add(key)
  const bar = make("span", "bar", ...claims.map(({ status }) => make("i", status === "Unanswered" ? "hollow" : "")))
  const crux = claims.some((claim) => claim.crux) ? cruxChip() : ""
  return folded(map, key, `group ${hueOf(letter)}`, [...name, crux, openCount(claims), bar], () => claims.map((claim) => branch(map, claim, 0)))
}

function foldAllButton(map, shown, redraw) {
  const keys = [...new Set(shown.map(groupKey))]
  const isAll = keys.every((key) => map.kept.unfolded.has(key))
  const button = pressed("toggle", isAll ? _("Fold all") : _("Unfold all"), () => {
    if (isAll) map.kept.claim = ""
    for (const key of keys) isAll ? map.kept.unfolded.delete(key) : map.kept.unfolded.add(key)
    redraw(".ways [data-way=all]")
  })
  button.dataset.way = "all"
  return button
}

// A button that unfolds and folds a list, which is drawn when it is unfolded.
function folded({ kept }, key, className, words, contents) {
  const list = make("ul", "")
  const sign = make("span", "sign")
  const unfold = (isOpen) => {
    kept.unfolded[isOpen ? "add" : "delete"](key)
    sign.textContent = isOpen ? "▾" : "▸"
    button.setAttribute("aria-expanded", String(isOpen))
    list.replaceChildren(...(isOpen ? contents() : []))
    list.hidden = !isOpen
  }
  const button = pressed("fold", "", () => unfold(list.hidden))
  button.tabIndex = -1
  button.append(sign, ...words)
  unfold(kept.unfolded.has(key))
  return make("li", className, button, list)
}

// --- claims

function branch(map, claim, depth) {
  const answers = map.answers.get(claim.id)
  const item = make("li", "", node(map, claim, depth))
  if (!answers.length) return item
  const below = () => answers.map((answer) => branch(map, answer, depth + 1))
  if (!map.isLarge) {
    item.append(make("ul", depth < MAX_INDENT ? "" : "flat", ...below()))
    return item
  }
  const many = answers.length === 1 ? _("1 answer") : _("{n} answers", { n: answers.length })
  const open = unanswered(answers)
  const words = open ? `${many}, ${_("{open} unanswered", { open })}` : many
  item.append(make("ul", depth < MAX_INDENT ? "" : "flat", folded(map, `${depth} ${claim.id}`, "answers", [words], below)))
  return item
}

function openCount(claims) {
  const open = unanswered(claims)
  const all = claims.length === 1 ? _("1 claim") : _("{n} claims", { n: claims.length })
  return make("small", "", open ? _("{open} of {of} unanswered", { open, of: claims.length }) : all)
}

function node({ by, inMap, kept, press }, claim, depth) {
  const to = answeredBy(claim, inMap)
  const numbers = to.map(({ number }) => number).join(", ")
  const also = depth ? to.slice(1).map(({ number }) => _("also answers claim {number}", { number })) : to.length ? [_("answers {numbers}", { numbers })] : []
  const accepted = claim.links.filter(({ verb }) => verb === "accepted by").map(({ who }) => _("accepted by {who}", { who }))
  const about = by === "seat" || depth ? sideCell(claim) : claim.side && claim.side !== "said" ? make("span", "", _(ABOUT[claim.side])) : null
  const button = pressed(`node${claim.crux ? " decisive" : ""}`, "", () => press(claim))
  button.tabIndex = -1
  button.append(
    make("span", "number", depth ? `↳ ${claim.number}` : String(claim.number)),
    make("span", "text", claim.text),
    make("span", "state", ...(by === "seat" && !depth ? [] : [make("span", "who", claim.seat)]), about ?? "", statusChip(claim), claim.crux ? cruxChip() : "", ...[...accepted, ...also].map((words) => make("span", "", words))),
  )
  button.dataset.claim = claim.id
  button.dataset.chosen = String(claim.id === kept.claim)
  return button
}
