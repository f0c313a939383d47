/** npm passes Ctrl-C on to a process that got it from the terminal already; a person needs longer to press it again. */
const echoMs = 500

/** Resolves at the first Ctrl-C or SIGTERM. Asked once more, the process ends at once. */
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

/** Resolves when the process that started this one over a channel is gone; never for one that has no such starter. */
export const untilOrphaned = (): Promise<void> => new Promise(resolve => process.once('disconnect', () => resolve()))
