// Runs before the first paint. The service sends the page with its door, in English; this hides it from those who will see
// something else, applies the chosen theme, and keeps a press until the scripts of the page can act on it.

const { documentElement: html, currentScript } = document
const theme = localStorage.getItem('theme')
if (theme) html.dataset.theme = theme

const language = localStorage.getItem('language') ?? navigator.language
const isDoor = location.pathname === '/' && !localStorage.getItem('session') && language.startsWith('en')
if (!isDoor) html.dataset.opening = 'hidden'

let pressed = -1
const buttonsOf = root => [...root.querySelectorAll('button')]
const keep = ({ target }) => {
  pressed = buttonsOf(document).indexOf(target.closest('button'))
}
addEventListener('click', keep)

/** Called with the root of the page when it is drawn. */
window.opening = {
  end: root => {
    removeEventListener('click', keep)
    delete html.dataset.opening
    buttonsOf(root)[pressed]?.click()
  },
}

// The scripts are asked for at once, and run when the door is painted and the browser has nothing else to do.
const longestWaitMs = 500
const load = () => import(currentScript.dataset.page)
const whenIdle = act => ('requestIdleCallback' in window ? requestIdleCallback(act, { timeout: longestWaitMs }) : setTimeout(act))
const paint = () => requestAnimationFrame(() => whenIdle(load))
addEventListener('DOMContentLoaded', isDoor && !document.hidden ? paint : load)
