/** The title of the window, with the number of things that are new. The icon of the tab carries a dot for them. */
let title = ''
const readingMs = 10_000
let count = 0
let plainIcon: string | undefined

const dotted =
  () => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9.5" fill="#0d6b5f"/>
<path fill="#fff" d="M5 10.6c0-2 1.9-3.1 3.5-2L16 14l7.5-5.4c1.6-1.1 3.5 0 3.5 2v10.8c0 2-1.9 3.1-3.5 2L16 18l-7.5 5.4c-1.6 1.1-3.5 0-3.5-2z"/>
<circle cx="24" cy="8" r="8" fill="#d4372a"/><text x="24" y="12" text-anchor="middle" fill="#fff" font-size="12"
font-family="sans-serif" font-weight="700">${count > 9 ? '9+' : count}</text></svg>`

const show = () => {
  document.title = `${count > 0 ? `(${count}) ` : ''}${title} · Agent marketplace`
}

let isFocusDue = false

/** Moves the focus to the heading of the view; if its scripts are still loading, as soon as it is there. */
export const focusTitle = (): void => {
  const heading = document.getElementById('title')
  heading?.focus({ preventScroll: true })
  isFocusDue = heading === null
}

/** Call when a heading appeared. */
export const takeFocus = (heading: HTMLElement | null): void => {
  if (!isFocusDue) return
  isFocusDue = false
  heading?.focus({ preventScroll: true })
}

export const setTitle = (words: string): void => {
  title = words
  show()
}

export const setNews = (news: number): void => {
  if (news === count) return
  count = news
  show()
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (!icon) return
  plainIcon ??= icon.href
  const before = icon.href
  // The browser may still be reading the icon that is replaced.
  if (before !== plainIcon) setTimeout(() => URL.revokeObjectURL(before), readingMs)
  icon.href = count > 0 ? URL.createObjectURL(new Blob([dotted()], { type: 'image/svg+xml' })) : plainIcon
}
