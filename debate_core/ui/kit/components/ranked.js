// --- many options by strength, from the shapes of `ranked.py`

function ranking(data, _send, root) {
  const list = rankedRows(data, root)
  const more = data.rows.length - data.shown
  const all = more > 0 ? pressed("act", _("Show all {n}", { n: data.rows.length }), () => open(true)) : null
  function open(isOpen) {
    // Streamlit redraws after each comparison: keep the list open.
    if (isOpen) root.dataset.all = "yes"
    for (const row of [...list.children].slice(data.shown)) row.hidden = !isOpen
    if (all) all.hidden = isOpen
  }
  open(root.dataset.all === "yes")
  return make("div", "", list, make("p", "ranked-under", data.under), all)
}

// For each root, the option of each row at the last drawing.
const RANKED = new WeakMap()

// Screen readers read a list; the positions of the points are only visual.
function rankedRows(data, root) {
  const list = make("ol", "ranked", ...data.rows.map((row) => rankedRow(data, row)))
  list.setAttribute("aria-label", data.alt)
  requestAnimationFrame(() => settle(list, data.rows, RANKED.get(root) ?? []))
  RANKED.set(root, data.rows.map((row) => row.option))
  return list
}

// Rows that have another place than before move there, so that people see the ranking settle.
function settle(list, rows, before) {
  if (!before.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return
  const tops = [...list.children].map((row) => row.offsetTop)
  rows.forEach(({ option }, place) => {
    const was = before.indexOf(option)
    const moved = (tops[was < 0 ? tops.length - 1 : was] ?? tops.at(-1)) - tops[place]
    if (moved) list.children[place].animate([{ transform: `translateY(${moved}px)` }, {}], { duration: 900, easing: "ease-in-out" })
  })
}

function rankedRow(data, row) {
  const edge = row.place === data.top ? (data.settled ? " edge" : " edge open") : ""
  const times = make("span", "times", row.compared ? _("{n}×", { n: row.compared }) : _("not yet"))
  times.title = _("how often it was compared")
  return make(
    "li",
    `ranked-row${edge}`,
    make("span", "place", row.place ? String(row.place) : ""),
    make("span", "name", row.option),
    interval(row),
    times,
  )
}

function interval(row) {
  const track = make("div", "interval")
  track.setAttribute("aria-hidden", "true")
  if (row.at === null) return track
  const span = make("i")
  span.style.left = `${100 * row.low}%`
  span.style.width = `${100 * (row.high - row.low)}%`
  const point = make("b")
  point.style.left = `${100 * row.at}%`
  track.append(span, point)
  return track
}

PARTS.ranked = ranking
