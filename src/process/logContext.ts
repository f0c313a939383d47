import { AsyncLocalStorage } from 'node:async_hooks'

type About = Record<string, string | undefined>

const context = new AsyncLocalStorage<About>()

/** Adds members, such as the id of a request or a run, to every line that the work logs. */
export const withLogged = <T>(about: About, work: () => T): T => context.run({ ...context.getStore(), ...about }, work)

/** The members of the work that is running. */
export const loggedNow = (): About => context.getStore() ?? {}
