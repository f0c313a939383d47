import { useEffect, useState } from 'hono/jsx/dom'

/** So near its end a log counts as read to the end, in px. */
const nearPx = 48

const isAtEnd = (log: HTMLElement): boolean => log.scrollHeight - log.scrollTop - log.clientHeight < nearPx

/**
 * Keeps a log at its newest line while it grows, unless its reader has gone back to read.
 * @returns whether the newest line is out of sight, and how to get there
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
      // Growing moves the end away and not the reader: only who goes back leaves it.
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
