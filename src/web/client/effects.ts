import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'

type Effect = Parameters<typeof useLayoutEffect>[0]
type Kept = { deps?: readonly unknown[]; end?: ReturnType<Effect>; stop?(): void }

const isChanged = (before: readonly unknown[] | undefined, now: readonly unknown[] | undefined): boolean =>
  !before || !now || before.length !== now.length || before.some((it, at) => !Object.is(it, now[at]))

/** Calls a function once what is drawn now is painted, so that its work delays no picture. Returns a function that cancels it. */
const afterPaint = (act: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(act)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/**
 * Runs an effect after the next paint. The library's own `useEffect` does it before. That one runs an effect twice when a component is
 * drawn twice before the frame, and also after the component was removed. Such an effect never ended, and drew the removed
 * component again.
 */
export const useEffect = (effect: Effect, deps?: readonly unknown[]): void => {
  const { current: kept } = useRef<Kept>({})
  const stop = () => {
    kept.stop?.()
    kept.end?.()
    delete kept.end
  }
  useLayoutEffect(() => {
    if (!isChanged(kept.deps, deps)) return
    stop()
    if (deps) kept.deps = deps
    kept.stop = afterPaint(() => {
      kept.end = effect()
    })
  })
  useLayoutEffect(() => stop, [])
}

/** Reads a value that changes outside of the components; the component renders again with each change. */
export const useStore = <T>(subscribe: (listener: () => void) => () => void, read: () => T): T => {
  const [, setVersion] = useState(0)
  const value = read()
  const shown = useRef(value)
  shown.current = value
  useEffect(() => {
    const look = () => {
      if (!Object.is(shown.current, read())) setVersion(it => it + 1)
    }
    look()
    return subscribe(look)
  }, [subscribe])
  return value
}
