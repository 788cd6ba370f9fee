// Shows that the server cannot be reached, and whether the reader's vote was received before the connection was lost.
//
// A network can swallow everything and close nothing: then the live socket of a room notices that the server is silent.
//
// Relies on two elements of Streamlit 1.67: [data-testid=stApp], whose data-test-connection-state is CONNECTED while
// the page is connected, and [data-testid=stDialog] with its button "Close", its English dialog about a lost
// connection after some attempts. Without a connection, our own dialogs cannot open, so a new dialog is that one.

// Leaving a page also closes its connection: show nothing then.
const PATIENCE_MS = 1000
const APP = "[data-testid=stApp]"
const DIALOG = "[data-testid=stDialog]"

export default function ({ data, parentElement }) {
  const bar = parentElement.querySelector(".offline")
  const watching = new AbortController()
  let lostAt = null
  let ours = []
  let waiting

  function look() {
    const app = document.querySelector(APP)
    const connected = navigator.onLine && !globalThis.debateSilent && app?.dataset.testConnectionState === "CONNECTED"
    if (connected) {
      clearTimeout(waiting)
      lostAt = null
      if (bar.matches(":popover-open")) bar.hidePopover()
    } else if (lostAt === null) {
      lostAt = Date.now()
      ours = [...document.querySelectorAll(DIALOG)]
      waiting = setTimeout(() => show(bar, lostAt, data.isReadOnly), PATIENCE_MS)
    } else {
      for (const dialog of document.querySelectorAll(DIALOG)) {
        if (!ours.includes(dialog)) dialog.querySelector("[aria-label=Close]")?.click()
      }
    }
  }

  const changes = new MutationObserver(look)
  changes.observe(document.querySelector(APP), { attributeFilter: ["data-test-connection-state"] })
  changes.observe(document.body, { childList: true })
  document.addEventListener("debate-silent", look, { signal: watching.signal })
  for (const event of ["online", "offline"]) window.addEventListener(event, look, { signal: watching.signal })
  look()
  return () => {
    clearTimeout(waiting)
    changes.disconnect()
    watching.abort()
  }
}

function show(bar, lostAt, isReadOnly) {
  bar.replaceChildren()
  const add = (text) => bar.appendChild(document.createElement("p")).append(text)
  const since = { time: timeOf(lostAt) }
  const vote = document.querySelector("[data-vote]")
  add(_("No connection since {time}. Keep this page open: it reconnects automatically.", since))
  if (!isReadOnly) add(_("What you typed or sent last is not confirmed."))
  if (vote?.dataset.vote)
    add(_("Your vote is in, cast at {time}. A later change is not confirmed.", { time: timeOf(Number(vote.dataset.vote)) }))
  else if (vote)
    add(_("Your vote is not confirmed. Once the connection is back, look whether it is in; if not, cast it."))
  bar.showPopover()
}

function timeOf(ms) {
  return new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
}
