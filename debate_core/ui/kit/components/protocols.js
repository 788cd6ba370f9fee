// --- protocols as drawings of their course, from the shapes of `kit/course.py`

const COURSE_HEIGHT = 56

function protocols(data, send) {
  const drawn = data.groups.map((group) => goalRow(group, data, send))
  const at = data.groups.findIndex((group) => group.part)
  if (at < 0) return make("div", "protocols", ...drawn)
  const rare = make("details", "rare", make("summary", "", data.groups[at].part), ...drawn.slice(at))
  return make("div", "protocols", ...drawn.slice(0, at), rare)
}

// A goal, and beside it the protocol to take; the others for this goal are folded.
function goalRow(group, data, send) {
  const [first, ...others] = group.cards
  const head = make("div", "goal", make("h3", "", group.title), make("p", "when", group.when))
  const drawn = make("section", "", head, cardList(group.title, [protocolCard({ ...first, purpose: "" }, data, send)]))
  if (others.length) drawn.append(moreCards(group, others.map((card) => protocolCard(card, data, send))))
  return drawn
}

// The other cards of a goal, folded; the browser's own search opens them.
function moreCards(group, cards) {
  const name = `${group.more}: ${group.title}`
  const summary = make("summary", "", group.more)
  summary.setAttribute("aria-label", name)
  return make("details", "", summary, cardList(name, cards))
}

function cardList(label, cards) {
  const list = make("ul", "cards", ...cards)
  list.setAttribute("aria-label", label)
  return list
}

// The whole card opens the protocol; its buttons rehearse it or begin a debate with it.
function protocolCard(card, data, send) {
  const name = pressed("name", card.title, () => send("open", card.name))
  const buttons = ["try", "use"].map((event) => {
    const button = pressed(`act ${event}`, data[event], () => send(event, card.name))
    button.setAttribute("aria-label", `${data[event]}: ${card.title}`)
    return button
  })
  const foot = make("div", "foot", ...buttons)
  const head = make("div", "head", name, card.chip ? make("span", "chip", card.chip) : null, make("span", "size", card.size))
  const purpose = card.purpose ? make("p", "purpose", card.purpose) : null
  return make("li", "", head, purpose, flowOf(card.flow), foot)
}

// The steps of each round as boxes in their order; the last box is what decides.
function flowOf(boxes) {
  return make("ol", "flow", ...boxes.map(([when, what]) => make("li", "", when ? make("small", "", when) : null, what)))
}

// One protocol, with the names of its steps; or only the legend of two.
function course(data) {
  const legend = data.legend.length ? courseLegend(data.legend) : null
  return make("div", "", legend, data.course ? courseOf(data.course) : null)
}

function courseOf(drawn) {
  const parts = [
    ...drawn.before.map(courseStep),
    courseRounds(drawn),
    ...drawn.after.map(courseStep),
    decisionMark(drawn),
  ]
  const figure = make("div", "course named", ...parts)
  figure.setAttribute("role", "img")
  figure.setAttribute("aria-label", drawn.alt)
  return figure
}

function courseRounds(drawn) {
  const steps = make("div", "steps-of-round", ...drawn.each.map(courseStep))
  return make("div", "rounds", steps, drawn.rounds ? make("span", "times", drawn.rounds) : null)
}

function courseStep(step) {
  const { figure, width } = step.speaks.length ? speakerDots(step) : seatMark()
  if (step.votes) figure.append(svg("rect", { class: "vote", x: 3, y: COURSE_HEIGHT - 4, width: width - 6, height: 3 }))
  const when = step.when ? make("small", "", step.when) : null
  return make("div", "stage-of-course", figure, make("span", "", step.name), when)
}

// A dot for each debater: above each other if they speak at once, else one after the other.
function speakerDots(step) {
  const gap = 12
  const slant = step.in_turn ? 10 : 0
  const width = 18 + slant * (step.speaks.length - 1)
  const top = (COURSE_HEIGHT - 8 - gap * (step.speaks.length - 1)) / 2
  const at = (place) => ({ cx: 9 + slant * place, cy: top + gap * place })
  const figure = courseFrame(width)
  if (step.in_turn) {
    const points = step.speaks.map((_speaks, place) => `${at(place).cx},${at(place).cy}`)
    figure.append(svg("polyline", { points: points.join(" ") }))
  }
  for (const [place, speaks] of step.speaks.entries()) {
    figure.append(svg("circle", { class: speaks ? "speaks" : "silent", r: speaks ? 4.5 : 2, ...at(place) }))
  }
  return { figure, width }
}

// A seat that does not debate, such as a moderator.
function seatMark() {
  const figure = courseFrame(18)
  figure.append(svg("rect", { class: "seat", x: 4.5, y: (COURSE_HEIGHT - 8) / 2 - 4.5, width: 9, height: 9, rx: 1.5 }))
  return { figure, width: 18 }
}

function decisionMark(drawn) {
  const figure = courseFrame(20)
  const middle = (COURSE_HEIGHT - 8) / 2
  figure.append(
    drawn.decides === "seat"
      ? svg("rect", { class: "decides", x: 3, y: middle - 7, width: 14, height: 14, rx: 2 })
      : svg("circle", { class: "decides", cx: 10, cy: middle, r: 7.5 }),
  )
  return make("div", "stage-of-course end", figure, make("span", "", drawn.decided))
}

function courseFrame(width) {
  return svg("svg", { viewBox: `0 0 ${width} ${COURSE_HEIGHT}`, width, height: COURSE_HEIGHT, "aria-hidden": "true" })
}

function courseLegend(words) {
  const signs = [
    svg("circle", { class: "speaks", cx: 8, cy: 8, r: 4.5 }),
    svg("rect", { class: "seat", x: 3.5, y: 3.5, width: 9, height: 9, rx: 1.5 }),
    svg("rect", { class: "vote", x: 1, y: 7, width: 14, height: 3 }),
    svg("circle", { class: "decides", cx: 8, cy: 8, r: 7 }),
    svg("rect", { class: "decides", x: 1.5, y: 1.5, width: 13, height: 13, rx: 2 }),
    svg("circle", { class: "silent", cx: 8, cy: 8, r: 2.5 }),
    svg("rect", { class: "frame", x: 1, y: 1, width: 14, height: 14, rx: 4 }),
  ]
  const items = words.map((text, at) => {
    const sign = svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, signs[at])
    return make("li", "", sign, text)
  })
  return make("ul", "legend", ...items)
}

Object.assign(PARTS, { protocols, course })
