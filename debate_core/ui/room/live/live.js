// Draws the transcript of one debate from the live socket. Uses only text nodes, so that words of seats and documents
// are never read as HTML. Knows no rules; draws the shapes of `wire_types.py`, which a test compares with this file.

const ROOMS = new WeakMap()
const RETRY_MS = [250, 500, 1000, 2000, 3000]
const SILENCE_MS = 40000
const NO_SUCH_DEBATE = 4404
const NARROW_PX = 640
// Panels rerun within SOON_MS, all others within EACH_MS more for each viewer: a panel takes the server about 20 ms of
// CPU, and a hundred at once would delay each other and the transcript.
const SOON_MS = 300
const EACH_MS = 50

const PENDING = new Set(["waiting", "asked", "answering", "thinking", "again", "queued", "away", "hidden", "later"])
const BUSY = new Set(["asked", "answering", "thinking"])

export default function (component) {
  const { data, parentElement } = component
  let room = ROOMS.get(parentElement)
  if (!room) {
    room = new Room(parentElement)
    ROOMS.set(parentElement, room)
  }
  room.update(component, data)
  return () => {
    // If data change while this script is fetched, Streamlit draws twice and removes the first drawing last.
    if (room.component !== component) return
    room.leave()
    ROOMS.delete(parentElement)
  }
}

function make(tag, className, text) {
  const element = document.createElement(tag)
  if (className) element.className = className
  if (text !== undefined) element.textContent = text
  return element
}

// The bar about a lost connection shows the silence, which no other part of the page notices.
function tellSilence(isSilent) {
  globalThis.debateSilent = isSilent
  document.dispatchEvent(new Event("debate-silent"))
}

// The browser keeps the scroll position of the page before, which would hide the code to join of a new debate.
function toTop() {
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
}

function chip(text, colour, title) {
  const element = make("span", "chip", text)
  element.dataset.colour = colour || "gray"
  if (title) element.title = title
  return element
}

function numberOf(row) {
  const number = make("span", "number", String(row.number))
  number.title = _("Claim {number}, {id}", row)
  return number
}

// A claim that the prose contains word for word is read there, after its number, and not once more below.
function claimsInside({ text, rows = [] }) {
  const found = []
  for (const row of rows) {
    const at = row.number && row.text ? text.indexOf(row.text) : -1
    const overlaps = found.some(([start, other]) => at < start + other.text.length && start < at + row.text.length)
    if (at >= 0 && !overlaps) found.push([at, row])
  }
  return found.sort(([first], [second]) => first - second)
}

// Fetches the cookie of the person who opened the debate, once; the answer is a redirect, not followed.
const LINKS_USED = new Set()

async function comeIn(link) {
  if (!link || LINKS_USED.has(link)) return
  LINKS_USED.add(link)
  try {
    await fetch(`/join/${encodeURIComponent(link)}`, { method: "POST", redirect: "manual" })
  } catch {
    LINKS_USED.delete(link)
  }
}

class Room {
  constructor(parent) {
    this.parts = {}
    this.frame = parent.querySelector(".frame")
    const log = parent.querySelector(".log")
    log.setAttribute("aria-label", _("Transcript"))
    for (const name of ["notice", "lost", "log", "empty", "jump", "closing", "said", "unfold"]) {
      this.parts[name] = parent.querySelector(`.${name}`)
    }
    this.parts.empty.textContent = _("The first turn has not begun.")
    this.parts.jump.textContent = _("Jump to latest")
    // Streamlit may remove a drawing and draw it again in the same place, as after a lost connection.
    for (const left of log.querySelectorAll(".phase")) left.remove()
    this.items = new Map()
    this.groups = new Map()
    this.tries = 0
    this.following = true
    this.lastTop = 0
    this.listen()
  }

  listen() {
    const { log, jump } = this.parts
    this.leaving = new AbortController()
    const { signal } = this.leaving
    log.addEventListener("wheel", (e) => e.deltaY < 0 && this.release(), { signal, passive: true })
    log.addEventListener("touchmove", () => this.release(), { signal, passive: true })
    log.addEventListener("keydown", (e) => ["PageUp", "ArrowUp", "Home"].includes(e.key) && this.release(), { signal })
    log.addEventListener("scroll", () => this.scrolled(), { signal, passive: true })
    jump.addEventListener("click", () => this.follow(), { signal })
    this.parts.unfold.addEventListener("click", () => this.turnFold(), { signal })
    window.addEventListener("online", () => this.connect(), { signal })
    window.addEventListener("resize", () => this.reportWidth(), { signal })
    this.sizes = new ResizeObserver(() => this.keepUp())
    this.sizes.observe(log)
    this.ticking = setInterval(() => this.countOn(), 1000)
  }

  update(component, data) {
    this.component = component
    const seats = encodeURIComponent(data.seats.join(","))
    const url = `/api/debates/${encodeURIComponent(data.debate)}/live?as=${seats}`
    const first = this.data === undefined
    this.data = data
    this.frame.dataset.fold = data.fold
    this.fold()
    // The lead of this browser's clock over the server's; delayed messages make it look larger.
    this.ahead = Math.min(this.ahead ?? Infinity, Date.now() - data.now)
    // For the clocks of the panel.
    globalThis.debateAhead = this.ahead
    if (url !== this.url) {
      this.url = url
      this.clear()
      // The parts were for the seats held before.
      delete globalThis.debatePanel
      delete globalThis.debateHere
      this.tries = 0
      comeIn(data.link).then(() => this.left || this.connect())
    }
    if (first) {
      toTop()
      this.widthTimer = setTimeout(() => this.reportWidth(), 150)
    } else {
      // The window may have changed while the server was drawing for its old width.
      this.reportWidth()
    }
    this.tellPanel()
  }

  // --- the connection

  connect() {
    clearTimeout(this.retry)
    this.hangUp()
    this.own = null
    const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${this.url}`
    const socket = new WebSocket(address)
    this.socket = socket
    this.watchSilence()
    socket.onmessage = (message) => {
      this.tries = 0
      this.showLost("")
      tellSilence(false)
      this.watchSilence()
      this.receive(JSON.parse(message.data))
    }
    socket.onclose = (event) => this.lost(event)
  }

  hangUp() {
    clearTimeout(this.silence)
    if (!this.socket) return
    this.socket.onmessage = this.socket.onclose = null
    this.socket.close()
    this.socket = null
  }

  lost(event) {
    clearTimeout(this.silence)
    if (event.code === NO_SUCH_DEBATE) return this.showLost(_("This debate is no longer on this server."))
    const wait = RETRY_MS[Math.min(this.tries, RETRY_MS.length - 1)]
    this.tries += 1
    if (this.tries > 1 || this.items.size) {
      this.showLost(_("Connection lost. Reconnecting. Nothing that was recorded is lost."))
    }
    this.retry = setTimeout(() => this.connect(), wait)
  }

  watchSilence() {
    clearTimeout(this.silence)
    this.silence = setTimeout(() => {
      tellSilence(true)
      this.connect()
    }, SILENCE_MS)
  }

  showLost(text) {
    this.parts.lost.textContent = text
    this.parts.lost.hidden = !text
  }

  leave() {
    this.left = true
    toTop()
    this.hangUp()
    tellSilence(false)
    clearTimeout(this.retry)
    clearTimeout(this.telling)
    clearTimeout(this.widthTimer)
    clearInterval(this.ticking)
    this.leaving.abort()
    this.sizes.disconnect()
  }

  // --- messages

  receive(news) {
    for (const [kind, value] of news) {
      if (kind === "snapshot") this.replaceAll(value)
      else if (kind === "text") this.addText(...value)
      else if (kind === "item") this.putItem(value, true)
      else if (kind === "gone") this.dropItem(value)
      else if (kind === "group") this.putGroup(value)
      else if (kind === "meta") this.putMeta(value)
      else if (kind === "panel") this.putPanel(value)
      else if (kind === "own") this.putOwn(value)
      else if (kind === "here") this.putHere(value)
    }
    this.frame.dataset.silent = !this.parts.log.querySelector(".turn:not([data-state=quiet])")
    if (news.some(([kind]) => kind !== "text")) this.fold()
    this.keepUp()
  }

  replaceAll(picture) {
    const top = this.parts.log.scrollTop
    this.clear()
    picture.groups.forEach((group) => this.putGroup(group))
    picture.items.forEach((item) => this.putItem(item, false))
    this.putMeta(picture.meta)
    if (!this.following) this.parts.log.scrollTop = top
  }

  clear() {
    for (const drawn of this.groups.values()) drawn.section.remove()
    this.groups.clear()
    this.items.clear()
  }

  putMeta(meta) {
    const { notice, closing, empty } = this.parts
    this.meta = meta
    // For the lines with the number of ballots, anywhere on the page.
    globalThis.debatePolled = { debate: this.data.debate, words: meta.polled }
    document.dispatchEvent(new Event("debate-polled"))
    notice.textContent = meta.notice
    notice.hidden = !meta.notice
    closing.textContent = meta.closing
    closing.hidden = !meta.closing
    closing.dataset.status = meta.status
    empty.hidden = this.items.size > 0
    this.tellPanel()
  }

  // For the shared parts of the panel, which `face.js` draws, anywhere on the page.
  putPanel({ version, parts }) {
    const { debate } = this.data
    const known = globalThis.debatePanel?.debate === debate ? globalThis.debatePanel.parts : {}
    globalThis.debatePanel = { debate, version, parts: { ...known, ...parts } }
    document.dispatchEvent(new Event("debate-panel"))
  }

  // For the list of people of those who lead, and the bell of all others.
  putHere(value) {
    globalThis.debateHere = { debate: this.data.debate, ...value }
    document.dispatchEvent(new Event("debate-here"))
    this.here = value.here
    this.tellPanel()
  }

  putGroup(group) {
    let known = this.groups.get(group.id)
    if (!known) {
      const section = make("section", "phase")
      known = { section, title: make("h2"), tally: make("span", "tally"), body: make("div", "turns") }
      const head = make("header")
      head.append(known.title, known.tally)
      section.append(head, known.body)
      section.setAttribute("aria-label", group.title)
      this.parts.log.append(section)
      this.groups.set(group.id, known)
      if (this.meta) this.say(_("{title} begins", group))
    }
    known.title.textContent = group.title
    known.tally.textContent = known.tally.title = group.open ? _("under way") : group.tally
    known.section.dataset.open = group.open
  }

  putItem(item, aloud) {
    const card = this.draw(item)
    const before = this.items.get(item.id)
    if (before) before.card.replaceWith(card)
    else this.groups.get(item.phase)?.body.append(card)
    this.items.set(item.id, { card, item, prose: card.querySelector(".prose") })
    this.parts.empty.hidden = true
    const finished = !PENDING.has(item.state) && (!before || PENDING.has(before.item.state))
    if (aloud && finished) this.say(`${item.name}: ${item.says || _("has spoken")}`)
  }

  // A phone shows the latest turn from its start, a page with the decision none: the button unfolds the others.
  fold() {
    const { log, unfold } = this.parts
    const foldsAll = this.data.fold === "all"
    if (!foldsAll && window.innerWidth >= NARROW_PX) return
    const cards = [...log.querySelectorAll(".turn")]
    const spoken = cards.filter((card) => card.dataset.state !== "quiet")
    const latest = foldsAll ? undefined : spoken.at(-1)
    for (const card of cards) {
      const isNow = card === latest || card.dataset.state === "live" || Boolean(card.querySelector(".dot"))
      card.classList.toggle("earlier", foldsAll || (latest !== undefined && !isNow))
    }
    for (const { section, body } of this.groups.values()) {
      section.classList.toggle("earlier", !body.querySelector(".turn:not(.earlier)"))
    }
    const n = spoken.length - (latest ? 1 : 0)
    unfold.hidden = n === 0
    unfold.textContent = this.unfolded ? _("Show less") : foldsAll ? _("What was said: {n} turns", { n }) : _("Earlier turns: {n}", { n })
    unfold.setAttribute("aria-expanded", String(Boolean(this.unfolded)))
    this.frame.classList.toggle("folded", !this.unfolded && n > 0)
  }

  turnFold() {
    this.unfolded = !this.unfolded
    this.fold()
  }

  dropItem(id) {
    this.items.get(id)?.card.remove()
    this.items.delete(id)
  }

  addText(id, offset, more) {
    const known = this.items.get(id)
    // After a gap an update was missed, so a fresh picture is needed.
    if (!known || known.item.text.length !== offset) return this.connect()
    known.item.text += more
    if (known.card.dataset.state === "quiet") return this.putItem(known.item, false)
    known.prose.firstChild.appendData(more)
  }

  // --- drawing

  draw(item) {
    const live = item.state === "answering" || item.state === "thinking"
    const card = make("article", "turn")
    // The border follows the vote, which may differ from the side that the seat defends.
    card.dataset.colour = item.vote?.counts ? item.vote.colour : item.colour
    card.dataset.state = PENDING.has(item.state) && !item.text && !item.thinking ? "quiet" : live ? "live" : item.state
    card.dataset.turn = item.id
    card.append(this.head(item))
    const inside = claimsInside(item)
    const prose = make("div", "prose")
    let read = 0
    for (const [at, row] of inside) {
      prose.append(item.text.slice(read, at), numberOf(row))
      read = at
    }
    prose.append(document.createTextNode(item.text.slice(read)))
    if (item.text) card.append(prose)
    if (item.thinking) card.append(this.thinking(item.thinking))
    const rows = this.rows(item.rows ?? [], new Set(inside.map(([, row]) => row)))
    if (rows.childNodes.length) card.append(rows)
    const foot = this.foot(item)
    if (foot.childNodes.length) card.append(foot)
    return card
  }

  head(item) {
    const head = make("div", "head")
    head.append(make("strong", item.seat ? "name seat" : "name", item.name))
    if (item.stance) head.append(chip(_("assigned: {stance}", item), item.colour, _("the side this seat defends")))
    if (item.badge) head.append(make("span", "badge", item.badge))
    if (item.tried) head.append(chip(item.tried, "orange", item.before))
    if (item.says) {
      const state = make("span", "state")
      if (BUSY.has(item.state)) state.append(make("i", "dot"))
      state.append(document.createTextNode(this.says(item)))
      head.append(state)
    }
    return head
  }

  // The state of a seat, with the seconds since it was asked or until the next try, or the time of the next try.
  says(item) {
    const now = Date.now() - this.ahead
    const ms = item.until === undefined ? now - item.since : item.until - now
    const time = new Date(now + ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    return item.says.replace("{seconds}", Math.max(0, Math.round(ms / 1000))).replace("{time}", time)
  }

  countOn() {
    for (const { card, item } of this.items.values()) {
      if (item.says.includes("{seconds}")) card.querySelector(".state").lastChild.data = this.says(item)
    }
  }

  thinking(text) {
    const block = make("div", "thinking")
    block.append(make("span", "label", _("thinking, not part of the turn")), document.createTextNode(text))
    return block
  }

  rows(rows, inside) {
    const list = make("ul", "rows")
    for (const row of rows) {
      const isRead = inside.has(row)
      if (isRead && !row.quote && !row.links && !row.chips) continue
      const line = make("li")
      if (row.label) line.append(make("strong", "label", row.label))
      if (isRead && inside.size === 1) line.className = "of-prose"
      else if (row.number) line.append(numberOf(row))
      else if (row.id) line.append(make("code", "id", row.id))
      if (!isRead) line.append(make("span", "claim", row.text))
      for (const score of row.chips ?? []) line.append(chip(score.text, score.colour), document.createTextNode(" "))
      if (row.quote) {
        const quote = make("blockquote", "", row.quote)
        const verdict = chip(row.verdict, row.verdict_colour, _("quote against its source"))
        quote.append(document.createTextNode(" "), verdict)
        line.append(quote)
      }
      if (row.links) line.append(make("span", "links", row.links))
      list.append(line)
    }
    return list
  }

  foot(item) {
    const foot = make("div", "foot")
    if (item.vote) {
      const line = make("span", "vote", item.vote.counts ? `${item.vote.label ?? _("vote")} ` : "")
      line.append(chip(item.vote.text, item.vote.colour))
      foot.append(line)
    }
    if (item.confidence !== undefined) foot.append(make("span", "", _("confidence {confidence}", item)))
    for (const fact of item.facts ?? []) foot.append(make("span", "", fact))
    if (item.answers) foot.append(make("span", "", item.answers))
    if (item.before) foot.append(make("span", "before", item.before))
    if (item.note) foot.append(make("span", "", item.note))
    return foot
  }

  // --- scrolling, the panel beside it, screen readers

  release() {
    this.following = false
    this.parts.jump.hidden = false
  }

  follow() {
    this.following = true
    this.keepUp()
  }

  scrolled() {
    const { log, jump } = this.parts
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 24
    if (atEnd && log.scrollTop >= this.lastTop) this.following = true
    jump.hidden = this.following || atEnd
    this.lastTop = log.scrollTop
  }

  keepUp() {
    const { log, jump } = this.parts
    if (!this.following) return
    this.alignTop()
    log.scrollTop = log.scrollHeight
    jump.hidden = true
  }

  // The first turn in sight begins at the top instead of being cut in two; not while one is being said.
  alignTop() {
    const { log } = this.parts
    log.style.paddingBottom = ""
    const end = log.scrollHeight - log.clientHeight
    if (end <= 0 || log.querySelector('[data-state="live"]')) return
    const top = log.getBoundingClientRect().top - log.scrollTop + log.querySelector(".phase > header").offsetHeight
    let room = 0
    for (const { card } of [...this.items.values()].reverse()) {
      const over = card.getBoundingClientRect().top - top - end
      if (over < 0) break
      room = over
    }
    // A tall window has place for the end of the turn before: no blank half.
    if (room < log.clientHeight / 3) log.style.paddingBottom = `calc(1rem + ${room}px)`
  }

  // What is no shared part is drawn by the server; a random delay keeps many viewers from asking at the same moment.
  tellPanel() {
    if (this.telling || !this.meta || this.isUpToDate()) return
    const spread = this.data.reruns === "at_once" ? SOON_MS : Math.max(SOON_MS, EACH_MS * this.meta.watching)
    this.telling = setTimeout(() => {
      this.telling = null
      if (!this.isUpToDate()) this.component.setTriggerValue("news", `${this.news()}${this.ownNews()}${this.here ?? ""}`)
    }, 100 + Math.random() * spread)
  }

  isUpToDate() {
    return this.news() === this.data.news && this.ownNews() === this.data.own_news && !this.hasCome()
  }

  // Only the page on which people gather shows who is here, and knows of itself at least.
  hasCome() {
    return this.data.here.length > 0 && this.here !== undefined && this.here.join() !== this.data.here.join()
  }

  // The mark of this person's ballot, which another window may have changed.
  ownNews() {
    return this.own ?? this.data.own_news
  }

  putOwn(mark) {
    this.own = mark
    this.tellPanel()
  }

  news() {
    return this.data.reruns === "for_forms" ? this.meta.form_news : this.meta.news
  }

  reportWidth() {
    const narrow = window.innerWidth < NARROW_PX
    if (narrow !== this.data.narrow) this.component.setStateValue("narrow", narrow)
  }

  say(text) {
    this.parts.said.textContent = text
  }
}
