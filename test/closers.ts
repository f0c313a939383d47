type Close = () => Promise<unknown>

/**
 * Opens parts one after the other. `close` ends them in the reverse order. When one part fails to open, the earlier ones are
 * closed. Rejects with the error of that part.
 */
export const openWithClosers = async <T extends object>(
  open: (whenClosing: (close: Close) => void) => Promise<T>,
): Promise<T & { close(): Promise<void> }> => {
  const closers: Close[] = []
  const close = async () => {
    for (let next = closers.pop(); next; next = closers.pop()) await next()
  }
  try {
    return { ...(await open(closer => closers.push(closer))), close }
  } catch (error) {
    await close()
    throw error
  }
}
