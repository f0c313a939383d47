/** `opening.js` applies it before the first paint. */
const key = 'theme'

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

/** Switches to the other theme and stores it for the next visit. */
export const toggleTheme = (storage: Storage): void => {
  const theme = isDark() ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  storage.setItem(key, theme)
}
