import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from './effects.ts'

const countMs = 600

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Animates an amount to its new value and ends at exactly that value. @param amount decimal text */
export const useCounted = (amount: string | undefined): string | undefined => {
  const [shown, setShown] = useState(amount)
  const from = useRef(amount)
  useEffect(() => {
    const start = from.current
    from.current = amount
    if (start === undefined || amount === undefined || start === amount || isCalm()) {
      setShown(amount)
      return
    }
    const begun = performance.now()
    const step = (now: number) => {
      const share = Math.min(1, Math.max(0, (now - begun) / countMs))
      const between = Number(start) + (Number(amount) - Number(start)) * share
      setShown(share === 1 ? amount : between.toFixed(2))
      if (share < 1) frame = requestAnimationFrame(step)
    }
    let frame = requestAnimationFrame(step)
    // A page in the background gets no animation frames, so a timer sets the final value.
    const end = setTimeout(() => setShown(amount), countMs + 100)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(end)
    }
  }, [amount])
  return shown
}
