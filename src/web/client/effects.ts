import { useEffect as useFrameEffect, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'

type Effect = Parameters<typeof useFrameEffect>[0]

/**
 * Like the library's `useEffect`. The library runs an effect in the next animation frame, also when its component was removed
 * before that. Such an effect was never ended, and its updates drew the removed component again.
 */
export const useEffect = (effect: Effect, deps?: readonly unknown[]): void => {
  const life = useRef({ isOver: false })
  useLayoutEffect(() => {
    life.current.isOver = false
    return () => {
      life.current.isOver = true
    }
  }, [])
  useFrameEffect(() => (life.current.isOver ? undefined : effect()), deps)
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
