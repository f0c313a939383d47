const key = 'theme'

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

/** Applies the theme that the user chose earlier; otherwise the system's theme is used. */
export const applyTheme = (storage: Storage): void => {
  const kept = storage.getItem(key)
  if (kept) document.documentElement.dataset.theme = kept
}

/** Switches to the other theme and stores it for the next visit. */
export const toggleTheme = (storage: Storage): void => {
  const theme = isDark() ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  storage.setItem(key, theme)
}
