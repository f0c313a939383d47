import type { Child } from 'hono/jsx'
import type { Later } from '../client/later.ts'
import { Waiting } from './basics.tsx'

type OpenedProps<T> = { part: Later<T>; isQuiet?: boolean; children: (views: T) => Child }

/** Draws a part of the page once its scripts are loaded. `isQuiet`: nothing is shown until then. */
export const Opened = <T,>({ part, isQuiet = false, children }: OpenedProps<T>) => {
  const views = part.use()
  if (views) return children(views)
  return isQuiet ? null : <Waiting />
}
