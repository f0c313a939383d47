const key = 'theme'

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

/** The colours that were chosen here before; else the system's. */
export const applyTheme = (storage: Storage): void => {
  const kept = storage.getItem(key)
  if (kept) document.documentElement.dataset.theme = kept
}

/** The other colours, kept for the next visit. */
export const toggleTheme = (storage: Storage): void => {
  const theme = isDark() ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  storage.setItem(key, theme)
}
