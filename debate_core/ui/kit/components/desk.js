// Input components: ballots, percentages with the sum 100, marks of the room, the claims of a round.
// The browser keeps the input and sends it to the server as the state `said`; a redraw never resets it.

function here(data, send, root) {
  // Below the header of the page, and with "nearest" below what else stays at the top.
  root.style.scrollMarginTop = data.block === "start" ? "calc(var(--header, 3.75rem) + 0.25rem)" : "11.5rem"
  requestAnimationFrame(() => root.scrollIntoView({ block: data.block }))
  return make("div", "")
}

// --- marks of the room

function marks(data) {
  const most = Math.max(1, ...data.rows.map((row) => row.supports + row.against))
  const rows = data.rows.map((row) => {
    const bar = make("div", `against-for ${hueOf(row.letter)}`, wide("for", row.supports, most), wide("against", row.against, most))
    const words = [row.supports ? _("{supports} for", row) : "", row.against ? _("{against} against", row) : ""].filter(Boolean)
    return make("div", "row", make("span", "name", mark(row.letter), make("span", "", row.option)), bar, make("b", "", words.join(" · ") || "0"))
  })
  const drawn = make("div", "room-marks", ...rows)
  drawn.setAttribute("role", "img")
  drawn.setAttribute("aria-label", data.alt)
  return make("div", "", make("p", "caption", data.title), drawn, make("p", "caption below", data.under))
}

function wide(side, people, most) {
  const part = make("i", side)
  part.style.width = `${(100 * people) / most}%`
  return part
}

// The readings of a passage as one bar with a part for each reading.
function markBar(claim) {
  if (!claim.marked) return []
  const parts = claim.marks.map((one) => {
    const part = make("span", `${one.side} ${one.letter ? hueOf(one.letter) : ""}`, one.letter ? mark(one.letter) : null, `${_(MARK_SIGN[one.side])} ${one.people}`)
    part.style.flexGrow = one.people
    return part
  })
  const bar = make("div", "mark-bar", ...parts)
  bar.setAttribute("role", "img")
  bar.setAttribute("aria-label", _("The room: {marked}", claim))
  return [make("p", "caption below", _("The room: {marked}", claim)), bar]
}

const MARK_SIGN = { for: "+", against: "−", neutral: message("neutral") }

// --- the claims of a round, small

// Claims to choose from stay open; those of a round, which the transcript has in full, unfold.
function rail(data, send, root) {
  const items = data.claims.map((claim) => {
    const about = claim.letter ? mark(claim.letter) : null
    const side = claim.letter ? (ABOUT[claim.side] ?? "") : ""
    const state = [side, claim.status.toLowerCase()].filter(Boolean).join(" · ")
    const small = about || state ? make("small", "", about, state) : null
    const inside = [make("b", "", String(claim.number)), make("span", "", claim.text, small)]
    if (!data.opens) return make("li", "", make("div", "in-rail", ...inside))
    const open = pressed("in-rail", "", () => send("open", claim.id))
    open.append(...inside)
    if (data.toggles) open.setAttribute("aria-pressed", String(claim.chosen))
    return make("li", "", open)
  })
  const words = [make("b", "", data.title), make("span", "", data.beside)]
  const list = make("ol", "", ...items)
  if (data.toggles) return make("div", "rail", make("p", "rail-head", ...words), list)
  const fold = make("details", "rail", make("summary", "rail-head", ...words), list)
  fold.open = root.querySelector("details.rail")?.open ?? false
  return fold
}

// Answers by the name of their form. A page that is laid out anew replaces the whole form, and a tap may meet the old one
// when the new one was already made: both have the same answers. `tapped`: those that the server has not given back.
const ANSWERS = new Map()
const REMEMBERED = 4

function answersOf(name, given) {
  const answers = ANSWERS.get(name) ?? { said: structuredClone(given), tapped: "", shows: [] }
  ANSWERS.set(name, answers)
  if (answers.tapped === JSON.stringify(given)) answers.tapped = ""
  return answers
}

// What a new drawing begins with: the answers of the server, unless some are still on their way to it.
function begun(answers, given) {
  if (!answers.tapped) Object.assign(answers.said, structuredClone(given))
  return answers.said
}

// Keep what was said, also in a form that was replaced: that of a new one may not reach the server.
function tellAll(answers, keep, said) {
  answers.tapped = JSON.stringify(answers.said)
  keep("said", said())
  if (answers.keep !== keep) answers.keep("said", said())
}

// The drawing of a form joins those with the same answers.
function joined(answers, keep, show, said) {
  answers.keep = keep
  answers.shows = [show, ...answers.shows].slice(0, REMEMBERED)
  if (answers.tapped) keep("said", said())
}

// --- percentages with the sum 100

const sharesIn = ({ given, unsaid }) => ({ percents: given, isSaid: !unsaid })
const sharesOf = (data) => answersOf(data.name, sharesIn(data))

function probs(data, send, root, keep) {
  // A slider that no one has moved is no answer.
  const answers = sharesOf(data)
  const said = begun(answers, sharesIn(data))
  const given = () => [...said.percents]
  const tell = () => {
    tellAll(answers, keep, given)
    answers.shows.forEach((one) => one(null))
  }
  const bar = make("div", "hundred")
  const rows = data.options.map(({ letter, option }, place) => {
    const slider = ranged("range", option, data.given.length)
    const box = ranged("number", `${option} in percent`, data.given.length)
    const set = (from) => {
      if (from.value === "") return
      said.percents = shareOut(said.percents, place, Number(from.value))
      said.isSaid = true
      answers.tapped = JSON.stringify(said)
      show(from)
    }
    slider.addEventListener("input", () => set(slider))
    // Wait for the end of typing: 7 on the way to 75 changes nothing.
    box.addEventListener("change", () => set(box))
    for (const field of [slider, box]) field.addEventListener("change", tell)
    const name = make("span", "name", mark(letter), make("span", "", option))
    return { slider, box, drawn: make("div", `share ${hueOf(letter)}`, name, slider, make("span", "figure", box, "%")) }
  })
  const equal = pressed("act equal", data.equal, () => {
    said.isSaid = true
    tell()
  })
  const show = (from) => {
    const { percents, isSaid } = said
    group.classList.toggle("unsaid", !isSaid)
    rows.forEach(({ slider, box }, place) => {
      if (slider !== from) slider.value = isSaid ? percents[place] : slider.min
      box.value = isSaid ? percents[place] : ""
      box.placeholder = isSaid ? "" : "–"
      if (!isSaid) slider.setAttribute("aria-valuetext", data.unsaid)
      else slider.removeAttribute("aria-valuetext")
      slider.style.setProperty("--full", isSaid ? `${percents[place]}%` : "0%")
    })
    if (!isSaid) {
      bar.removeAttribute("role")
      bar.replaceChildren(make("em", "", data.unsaid), equal)
      return
    }
    bar.setAttribute("role", "img")
    bar.replaceChildren(
      ...data.options.map(({ letter }, place) => {
        const part = make("span", hueOf(letter), percents[place] >= 9 ? `${letter} ${percents[place]} %` : letter)
        part.style.width = `${percents[place]}%`
        return part
      }),
    )
    bar.setAttribute("aria-label", data.options.map(({ option }, place) => `${option} ${percents[place]} %`).join(", "))
  }
  const group = make("fieldset", "probs", make("legend", "", data.label), bar, ...rows.map((row) => row.drawn))
  show(null)
  joined(answers, keep, show, given)
  return group
}

function ranged(type, label, count) {
  const field = make("input")
  field.type = type
  field.min = 1
  field.max = 100 - (count - 1)
  field.step = 1
  field.setAttribute("aria-label", label)
  return field
}

// Change one percentage: the others keep their proportions and stay at least 1. The rest from rounding goes to the
// largest remainders, the first of equal ones.
function shareOut(percents, place, wanted) {
  const others = percents.map((_, at) => at).filter((at) => at !== place)
  const value = Math.max(1, Math.min(100 - others.length, Math.round(wanted)))
  const left = 100 - value - others.length
  let weights = others.map((at) => percents[at] - 1)
  if (!weights.some(Boolean)) weights = others.map(() => 1)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const result = [...percents]
  result[place] = value
  others.forEach((at, n) => (result[at] = 1 + Math.floor((left * weights[n]) / total)))
  const over = 100 - result.reduce((sum, one) => sum + one, 0)
  const byRemainder = others.map((at, n) => [((left * weights[n]) % total), n, at]).sort((a, b) => b[0] - a[0] || a[1] - b[1])
  byRemainder.slice(0, over).forEach(([, , at]) => (result[at] += 1))
  return result
}

// --- the ballot

// Up to this number, points are tapped; above, they are typed.
const MAX_STEPS = 10

const ballotIn = ({ given: { points, abstains } }) => ({ points, abstains })
const ballotOf = (data) => answersOf(data.name, ballotIn(data))

function pick(data, send, root, keep) {
  const answers = ballotOf(data)
  const said = begun(answers, ballotIn(data))
  const given = () => structuredClone(said)
  const rows = make("div", "rows")
  const told = make("p", "asked")
  told.setAttribute("role", "status")
  const isCounted = ["score", "consent", "criteria", "rubric"].includes(data.kind)
  const tell = () => {
    tellAll(answers, keep, given)
    answers.shows.forEach((one) => one())
  }
  const drawn = KINDS[data.kind]({ data, said, tell })
  const abstain = choice(null, _("Abstain"), () => {
    said.abstains = !said.abstains
    if (said.abstains) said.points.fill(null)
    tell()
  })
  const show = () => {
    drawn.forEach((row) => row.show())
    abstain.setAttribute("aria-pressed", String(said.abstains))
    told.textContent = said.abstains ? _("You abstain.") : data.kind === "dots" ? dotsLeft(data, said) : data.asked
    if (isCounted && !said.abstains) told.append(" ", make("b", "", answered(said)))
  }
  rows.append(...drawn.map((row) => row.element))
  if (data.kind !== "rubric") rows.append(abstain)
  show()
  joined(answers, keep, show, given)
  return heldBy(data.name, make("fieldset", "pick", make("legend", "", data.label), told, rows))
}

// A press on a button that is replaced or moved before the click: the same button of the ballot on the page gets it. That
// ballot can be some frames late, and one that was made after it may never reach the page.
const BALLOTS = new Map()
const MOVED_PX = 12
const HOLD_MS = 1500
let held = null

function heldBy(name, ballot) {
  BALLOTS.set(name, [ballot, ...(BALLOTS.get(name) ?? [])].slice(0, REMEMBERED))
  const buttons = () => [...ballot.querySelectorAll("button")]
  ballot.addEventListener("pointerdown", ({ target, clientX, clientY }) => {
    const button = target.closest("button")
    held = button && { name, button, place: buttons().indexOf(button), box: button.getBoundingClientRect(), x: clientX, y: clientY, up: 0 }
  })
  ballot.addEventListener("click", () => (held = null), true)
  return ballot
}

function isStill({ button, box }) {
  const { x, y } = button.getBoundingClientRect()
  return button.isConnected && Math.hypot(x - box.x, y - box.y) <= MOVED_PX
}

// The browser clicks a button that is still in its place.
function pressAgain() {
  if (!held?.up || performance.now() - held.up > HOLD_MS) return
  const ballot = isStill(held) ? undefined : BALLOTS.get(held.name).find((one) => one.isConnected)
  if (ballot) ballot.querySelectorAll("button")[held.place]?.click()
  else requestAnimationFrame(pressAgain)
}

document.addEventListener(
  "pointerup",
  ({ clientX, clientY }) => {
    if (!held) return
    if (Math.hypot(clientX - held.x, clientY - held.y) > MOVED_PX) held = null
    else held.up = performance.now()
    pressAgain()
  },
  true,
)
// A touch that scrolls is no press.
document.addEventListener("pointercancel", () => (held = null), true)

function choice(letter, words, then, meaning, ...beside) {
  const button = pressed("choice", "", then)
  const meant = meaning ? make("small", "", meaning) : null
  button.append(letter === null ? make("i", "open") : mark(letter), make("span", "", words, meant), ...beside)
  return button
}

// The option with its letter, and its meaning below.
function named({ letter, option, meaning }) {
  const meant = meaning ? make("small", "", meaning) : null
  return make("span", "name", mark(letter), make("span", "", option, meant))
}

function answered({ points }) {
  return _("{n} of {total}", { n: points.filter((one) => one !== null).length, total: points.length })
}

function dotsLeft(data, said) {
  const left = data.most - said.points.reduce((sum, one) => sum + (one ?? 0), 0)
  return _("{left} of {most} dots left", { left, most: data.most })
}

// A tap adds an option to the ranking or removes it. Up and down move it; = ranks it equal to the one before.
function ranked({ data, said, tell }) {
  const placesOf = () => [...new Set(said.points.filter((place) => place !== null))].sort((a, b) => a - b)
  const close = () => {
    const places = placesOf()
    said.points.forEach((place, at) => (said.points[at] = place === null ? null : places.indexOf(place) + 1))
  }
  const change = (then) => {
    then()
    said.abstains = false
    close()
    tell()
  }
  return data.options.map(({ letter, option, meaning }, at) => {
    const badge = make("b", "place")
    const button = choice(letter, option, () => change(() => (said.points[at] = said.points[at] === null ? placesOf().length + 1 : null)), meaning, badge)
    const level = pressed("level", "=", () => change(() => toggleLevel(said.points, at)))
    level.title = _("Level with the option before {option}", { option })
    level.setAttribute("aria-label", level.title)
    button.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (!by || said.points[at] === null) return
      event.preventDefault()
      change(() => swapPlaces(said.points, at, by))
    })
    const show = () => {
      const place = said.points[at]
      badge.textContent = place ?? ""
      button.setAttribute("aria-pressed", String(place !== null))
      button.setAttribute("aria-label", place === null ? _("{option}, no place yet", { option }) : _("{option}, place {place}", { option, place }))
      level.hidden = place === null || (place === 1 && !isLevel(said.points, at))
      level.setAttribute("aria-pressed", String(isLevel(said.points, at)))
    }
    return { element: make("div", "with-level", button, level), show }
  })
}

function isLevel(points, at) {
  return points[at] !== null && points.some((place, other) => other !== at && place === points[at])
}

function toggleLevel(points, at) {
  const wasLevel = isLevel(points, at)
  const place = points[at]
  points.forEach((one, other) => {
    if (wasLevel && other !== at && one !== null && one > place) points[other] = one + 1
  })
  points[at] = wasLevel ? place + 1 : place - 1
}

function swapPlaces(points, at, by) {
  const wanted = points[at] + by
  const others = points.map((place, other) => (place === wanted ? other : -1)).filter((other) => other >= 0)
  if (!others.length) return
  others.forEach((other) => (points[other] = points[at]))
  points[at] = wanted
}

function approved({ data, said, tell }) {
  return data.options.map(({ letter, option, meaning }, at) => {
    const badge = make("b", "place")
    const button = choice(letter, option, () => {
      said.points[at] = said.points[at] ? null : 1
      said.abstains = false
      tell()
    }, meaning, badge)
    const show = () => {
      button.setAttribute("aria-pressed", String(Boolean(said.points[at])))
      badge.textContent = said.points[at] ? "✓" : ""
    }
    return { element: button, show }
  })
}

function scored(ballot) {
  return ballot.data.options.map((one, at) => {
    const row = graded(ballot, at, one.option)
    return { element: make("div", "scored", named(one), row.element), show: row.show }
  })
}

// The field of one row, tapped or typed. A row that was not touched has no points.
function graded({ data, said, tell }, at, name) {
  const give = (points) => {
    said.points[at] = points
    said.abstains = false
    tell()
  }
  const field = data.most > MAX_STEPS ? typed(name, data.most, give) : tapped(name, data, (points) => give(said.points[at] === points ? null : points))
  return { element: field.element, show: () => field.show(said.points[at]) }
}

function tapped(name, { kind, most, words }, then) {
  const steps = [...Array(most + 1).keys()].map((points) => {
    const word = words[points] ?? String(points)
    const step = pressed(word.length > 2 ? "step long" : "step", word, () => then(points))
    step.setAttribute("aria-label", `${name}: ${words[points] ?? _("{points} of {most}", { points, most })}`)
    return step
  })
  const show = (given) => steps.forEach((step, points) => step.setAttribute("aria-pressed", String(given === points)))
  const element = make("div", kind === "consent" ? "scale words" : "scale", ...steps)
  element.addEventListener("keydown", (event) => onKey(event, element, steps))
  return { element, show }
}

// A digit gives these points and goes to the next row; the arrows go to the next row or the one before.
function onKey(event, element, steps) {
  const step = steps.find((one) => one.textContent === event.key)
  const by = step ? 1 : { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (!by || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  event.stopPropagation()
  if (step?.getAttribute("aria-pressed") === "false") step.click()
  const scales = [...element.closest(".rows").querySelectorAll(".scale")]
  const next = scales[scales.indexOf(element) + by]
  const at = steps.indexOf(step ?? event.target)
  next?.children[Math.max(0, at)].focus()
}

function typed(name, most, give) {
  const number = make("input", "typed")
  Object.assign(number, { type: "number", inputMode: "numeric", min: 0, max: most, step: 1 })
  number.setAttribute("aria-label", _("{option}, 0 to {most}", { option: name, most }))
  number.addEventListener("change", () => give(number.value === "" ? null : Math.max(0, Math.min(most, Math.round(Number(number.value))))))
  return { element: number, show: (given) => (number.value = given ?? "") }
}

// A row for each driver below each option. The name of the option and the number of answers stay in sight.
function weighed(ballot) {
  const { data, said } = ballot
  return data.options.map((one, place) => {
    const rows = data.drivers.map((driver, number) => weighedRow(ballot, driver, number * data.options.length + place, one.option))
    const count = pressed("count", "", () => goToNext(count))
    const show = () => {
      rows.forEach((row) => row.show())
      count.textContent = answered(said)
      const words = _("{answered} rows have an answer: go to the next one without", { answered: answered(said) })
      count.setAttribute("aria-label", `${one.option}: ${words}`)
    }
    const { meaning, ...name } = one
    const head = make("div", "head", named(name), count)
    const group = make("div", "weighed", head, meaning ? make("p", "meaning", meaning) : null, ...rows.map((row) => row.element))
    group.setAttribute("role", "group")
    group.setAttribute("aria-label", one.option)
    return { element: group, show }
  })
}

function weighedRow(ballot, { name, beside }, at, option) {
  const row = graded(ballot, at, `${name}, ${option}`)
  const element = make("div", "graded", make("p", "", make("b", "", name), make("small", "", beside)), row.element)
  const show = () => {
    row.show()
    element.classList.toggle("open", ballot.said.points[at] === null)
  }
  return { element, show }
}

// The first row without an answer, below the head that stays at the top.
function goToNext(count) {
  const row = count.closest(".rows").querySelector(".graded.open")
  if (!row) return
  row.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" })
  row.querySelector("button, input").focus({ preventScroll: true })
}

function dotted({ data, said, tell }) {
  return data.options.map((one, at) => {
    const { option } = one
    const number = make("input")
    Object.assign(number, { type: "number", min: 0, max: data.most, step: 1 })
    number.setAttribute("aria-label", _("Dots for {option}", { option }))
    const give = (wanted) => {
      const others = said.points.reduce((sum, one, other) => sum + (other === at ? 0 : (one ?? 0)), 0)
      said.points[at] = Math.max(0, Math.min(Math.round(wanted) || 0, data.most - others)) || null
      said.abstains = false
      tell()
    }
    number.addEventListener("change", () => give(Number(number.value)))
    const by = (step, sign, words) => {
      const button = pressed("step", sign, () => give((said.points[at] ?? 0) + step))
      button.setAttribute("aria-label", _(words, { option }))
      return button
    }
    const count = make("div", "dots", by(-1, "−", message("One dot less for {option}")), number, by(1, "+", message("One dot more for {option}")))
    const element = make("div", "dotted", named(one), count)
    return { element, show: () => (number.value = said.points[at] ?? 0) }
  })
}

const KINDS = { ranking: ranked, approval: approved, score: scored, dots: dotted, consent: scored, criteria: weighed, rubric: weighed }
Object.assign(PARTS, { here, marks, rail, probs, pick })
Object.assign(PASSED, { pick: ballotOf, probs: sharesOf })
