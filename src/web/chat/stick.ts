import { useEffect, useState } from 'hono/jsx/dom'

/** A log scrolled to within this many px of its end counts as being at the end. */
const nearPx = 48

const isAtEnd = (log: HTMLElement): boolean => log.scrollHeight - log.scrollTop - log.clientHeight < nearPx

/**
 * Keeps a growing log scrolled to its newest line, unless the reader scrolled back.
 * @returns whether the newest line is out of view, and a function that scrolls to it
 */
export const useStick = (log: () => HTMLElement | null, key: string | undefined): { isAway: boolean; jump(): void } => {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const pane = log()
    const inner = pane?.firstElementChild
    if (!pane || !inner) return
    let isStuck = true
    let height = pane.scrollHeight
    const toEnd = () => {
      pane.scrollTop = pane.scrollHeight
    }
    let top = pane.scrollTop
    const scrolled = () => {
      const isBack = pane.scrollTop < top - 1 && pane.scrollHeight === height
      top = pane.scrollTop
      // New lines move the end without the reader. Only scrolling back leaves the end.
      if (isAtEnd(pane)) isStuck = true
      else if (isBack) isStuck = false
      setAway(!isStuck)
    }
    const grown = new ResizeObserver(() => {
      height = pane.scrollHeight
      if (isStuck) toEnd()
      setAway(!isStuck && !isAtEnd(pane))
    })
    grown.observe(inner)
    grown.observe(pane)
    pane.addEventListener('scroll', scrolled, { passive: true })
    toEnd()
    return () => {
      grown.disconnect()
      pane.removeEventListener('scroll', scrolled)
    }
  }, [key])
  const jump = () => {
    const pane = log()
    pane?.scrollTo({ top: pane.scrollHeight, behavior: 'smooth' })
  }
  return { isAway, jump }
}
