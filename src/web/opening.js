// Runs in the head of the page. The service sends the page with its door, in English; this hides it from those who will see
// something else, applies the chosen theme, and keeps a press until the scripts of the page can act on it.

const { documentElement: html, currentScript } = document
const { scripts, sheet, returning } = currentScript.dataset
// The first access to the storage waits for another process, and a browser that was never here has nothing in it.
const stored = key => (returning === 'true' ? localStorage.getItem(key) : null)
const theme = stored('theme')
if (theme) html.dataset.theme = theme

const language = stored('language') ?? navigator.language
const isDoor = location.pathname === '/' && !stored('session') && language.startsWith('en')
if (!isDoor) html.dataset.opening = 'hidden'

let pressed = -1
const buttonsOf = root => [...root.querySelectorAll('button')]
const keep = ({ target }) => {
  pressed = buttonsOf(document).indexOf(target.closest('button'))
}
addEventListener('click', keep)

// A button that is drawn anew between the two halves of a press never gets it, so the page is drawn after the release.
// On a touch screen the click comes some milliseconds later.
const clickMs = 100
let released
const hold = () => {
  released = new Promise(free => {
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(free, clickMs), { once: true })
  })
}
addEventListener('pointerdown', hold)

let done
window.opening = {
  /** Fulfilled when the whole style sheet is here, or cannot be had. */
  styled: new Promise(resolve => {
    done = resolve
  }),
  /** Fulfilled when nothing is pressed. */
  released: () => released,
  /** Called with the root of the page when it is drawn. */
  end: root => {
    removeEventListener('click', keep)
    removeEventListener('pointerdown', hold)
    delete html.dataset.opening
    buttonsOf(root)[pressed]?.click()
  },
}

const link = props => document.head.append(Object.assign(document.createElement('link'), props))
/** Asks for the style sheet, the first script and those that it imports, all at once. */
const ask = () => {
  link({ rel: 'stylesheet', href: sheet, onload: done, onerror: done })
  for (const href of scripts.split(' ')) link({ rel: 'modulepreload', href })
}
const load = () => import(scripts.split(' ')[0])

// The door is there without them, so it is painted first. They are asked for when the browser has nothing else to do, and run at
// the first sign of the visitor, or soon by themselves.
const longestWaitMs = 500
const restMs = 400
const signs = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'scroll']
const whenIdle = act => ('requestIdleCallback' in window ? requestIdleCallback(act, { timeout: longestWaitMs }) : setTimeout(act))
const prepare = () => {
  ask()
  for (const sign of signs) addEventListener(sign, load, { once: true, passive: true })
  setTimeout(load, restMs)
}
const afterPaint = () => requestAnimationFrame(() => setTimeout(() => whenIdle(prepare)))
const waits = isDoor && !document.hidden
if (!waits) ask()
addEventListener('DOMContentLoaded', waits ? afterPaint : load)
