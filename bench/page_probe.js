// What a page shows, measured in the browser: heights, controls, words, type, contrast of borders. Looks into shadow
// trees. Lengths are in CSS pixels from the top of the window.
() => {
  // Parts of one field, which is one control. Marks that open a help text are none, and what Streamlit hides is none.
  const FIELDS = ["stSelectbox", "stMultiSelect", "stNumberInput", "stFileUploader", "stSlider", "stDateInput"]
  const PRESSED = "button, a[href], input:not([type=hidden]), textarea, select, summary, [role=slider], [role=option], [contenteditable=true]"
  const ONE_FIELD = FIELDS.map((name) => `[data-testid=${name}]`).join(", ")
  // The links to other languages at the foot of every page belong to no step.
  const FOOT = "a[href^='/language/']"
  const HELP = "[data-testid=stTooltipIcon], [data-testid=stTooltipHoverTarget] [data-testid=stTooltipIcon], [data-testid=stElementToolbar]"

  function* elements(root) {
    for (const element of root.children ?? []) {
      if (["STYLE", "SCRIPT", "TEMPLATE", "NOSCRIPT"].includes(element.tagName)) continue
      yield element
      yield* elements(element)
      if (element.shadowRoot) yield* elements(element.shadowRoot)
    }
  }

  const seen = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false
    const { width, height } = element.getBoundingClientRect()
    if (width < 2 || height < 2) return false
    const clip = getComputedStyle(element).clipPath
    return clip !== "inset(50%)" && !element.closest("details:not([open]) > :not(summary)")
  }
  // The input of a choice is hidden: measure its label instead.
  const face = (element) => (element.matches("input[type=radio], input[type=checkbox]") ? (element.closest("label") ?? element) : element)
  const host = (element) => element.getRootNode().host

  function up(element, selector) {
    for (let at = element; at; at = host(at)) {
      const found = at.closest(selector)
      if (found) return found
    }
    return null
  }

  const main = document.querySelector("[data-testid=stMain]") ?? document.body
  const inMain = [...elements(main)]

  function controls() {
    const found = new Set()
    for (const element of inMain) {
      if (!element.matches(PRESSED) || up(element, HELP) || element.matches(FOOT)) continue
      const one = up(element, ONE_FIELD) ?? face(element)
      if (seen(one)) found.add(one)
    }
    return found.size
  }

  // A word has a letter: figures are part of a drawing, and so are the signs of options.
  function words() {
    let count = 0
    for (const element of inMain) {
      if (element.closest("[aria-hidden=true], [data-testid=stIconMaterial]") || !seen(element)) continue
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) count += node.data.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length
      }
    }
    return count
  }

  function smallestType() {
    const told = inMain.filter((e) => seen(e) && [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim()))
    const sizes = told.filter((e) => !e.closest("svg")).map((e) => [parseFloat(getComputedStyle(e).fontSize), e.textContent.trim().slice(0, 40)])
    return sizes.sort((a, b) => a[0] - b[0])[0] ?? null
  }

  // --- contrast of what makes a field a field

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
  function rgba(colour) {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255)
  }
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]))
  function ground(element) {
    const layers = []
    for (let at = element; at; at = at.parentElement ?? host(at)) {
      const colour = rgba(getComputedStyle(at).backgroundColor)
      layers.push(colour)
      if (colour[3] === 1) break
    }
    return layers.reverse().reduce((below, top) => over(top, below), [1, 1, 1])
  }
  const luminance = (c) => {
    const [r, g, b] = c.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }
  // What can be seen of a field's edge: its border, or where it has none its own ground.
  function edge(element) {
    const around = ground(element.parentElement ?? host(element))
    const style = getComputedStyle(element)
    const has = ["Top", "Right", "Bottom", "Left"].find((side) => parseFloat(style[`border${side}Width`]) > 0)
    const drawn = has ? over(rgba(style[`border${has}Color`]), around) : null
    const ring = style.boxShadow.match(/(rgba?\([^)]*\)|color\([^)]*\)|#\w+).*inset/)
    const fill = contrast(over(rgba(style.backgroundColor), around), around)
    return Math.max(drawn ? contrast(drawn, around) : 1, ring ? contrast(over(rgba(ring[1]), around), around) : 1, fill)
  }
  const BOXES = "input:not([type=hidden]):not([type=file]), textarea, select, [role=combobox]"
  function faintest() {
    const faint = []
    for (const element of inMain) {
      if (!element.matches(BOXES) || !seen(face(element))) continue
      // The edge is drawn by whichever box around the field has one.
      let best = 0
      if (element.matches("[type=radio], [type=checkbox]")) {
        const label = element.closest("label")
        const drawn = label ? [...label.querySelectorAll("div, span")].filter((e) => !e.textContent.trim()) : [element]
        best = Math.max(...drawn.filter(seen).map(edge), edge(label ?? element))
      } else if (element.matches("[type=range]")) {
        continue
      } else {
        for (let at = element, steps = 0; at && steps < 5; at = at.parentElement ?? host(at), steps++) best = Math.max(best, edge(at))
      }
      faint.push([Math.round(best * 100) / 100, (element.getAttribute("aria-label") ?? element.name ?? element.type ?? element.tagName).slice(0, 40)])
    }
    return faint.sort((a, b) => a[0] - b[0])[0] ?? null
  }

  const bottom = (selector) => {
    const found = inMain.find((element) => element.matches(selector) && seen(element))
    return found ? Math.round(found.getBoundingClientRect().bottom + main.scrollTop) : null
  }
  // An icon that the font has not is shown as its name.
  const wordy = [...elements(document.body)].filter((e) => e.matches("[data-testid=stIconMaterial]") && seen(e)).filter((e) => {
    const range = document.createRange()
    range.selectNodeContents(e)
    return range.getBoundingClientRect().width > 2 * parseFloat(getComputedStyle(e).fontSize)
  })
  const panel = inMain.find((e) => e.matches("[role=tabpanel]") && seen(e))
  return {
    screens: Math.round((100 * main.scrollHeight) / innerHeight) / 100,
    content: panel ? Math.round(panel.getBoundingClientRect().top + main.scrollTop) : null,
    sideways: Math.max(document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth, 0),
    controls: controls(),
    words: words(),
    smallest: smallestType(),
    faintest: faintest(),
    decision: bottom(".hero h2"),
    chart: bottom(".hero .drawn"),
    sign: bottom(".st-key-open-decision button"),
    cast: bottom(".st-key-ballot [data-testid=stBaseButton-primary]"),
    wordy: wordy.map((e) => e.textContent),
    heading: inMain.some((element) => element.matches("h1") && seen(element)),
  }
}
