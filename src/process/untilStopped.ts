/**
 * npm forwards Ctrl-C to a process that already got it from the terminal. A second signal within this time, in ms, is such an
 * echo.
 */
const echoMs = 500

/** Resolves at the first Ctrl-C or SIGTERM. At the second one the process exits at once. */
export const untilStopped = (): Promise<void> =>
  new Promise(resolve => {
    let askedAt: number | undefined
    const ask = () => {
      if (askedAt !== undefined && performance.now() - askedAt > echoMs) process.exit(1)
      askedAt ??= performance.now()
      resolve()
    }
    process.on('SIGINT', ask).on('SIGTERM', ask)
  })

/** Resolves when the parent process disconnects its IPC channel; never without such a channel. */
export const untilOrphaned = (): Promise<void> => new Promise(resolve => process.once('disconnect', () => resolve()))
