import { useState } from 'hono/jsx/dom'
import { useEffect } from './effects.ts'

/** A part of the page whose scripts are loaded when it is opened. */
export type Later<T> = { load(): Promise<T>; use(): T | undefined }

/** @param read imports the scripts. A part that is known already is there at once. */
export const createLater = <T>(read: () => Promise<T>): Later<T> => {
  let known: T | undefined
  const load = async () => {
    known ??= await read()
    return known
  }
  const use = () => {
    const [failure, setFailure] = useState<unknown>(undefined)
    const [views, setViews] = useState(known)
    useEffect(() => void load().then(setViews, setFailure), [])
    // The boundary around each view says that it failed, and offers to load the page again.
    if (failure !== undefined) throw failure
    return views
  }
  return { load, use }
}
