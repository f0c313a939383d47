import { useEffect, useState } from 'hono/jsx/dom'

/** A log scrolled to within this many px of its end counts as being at the end. */
const nearPx = 48

/** The log is laid out from its end (`column-reverse`): its end is scroll position 0, and earlier lines have negative ones. */
const isAtEnd = (log: HTMLElement): boolean => -log.scrollTop < nearPx

/**
 * Keeps a growing log scrolled to its newest line, unless the reader scrolled back.
 * @returns whether the newest line is out of view, and functions that scroll to it: smoothly, and at once
 */
export const useStick = (log: () => HTMLElement | null, key: string | undefined) => {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const pane = log()
    const inner = pane?.firstElementChild
    if (!pane || !inner) return
    let isStuck = true
    const scrolled = () => {
      isStuck = isAtEnd(pane)
      // Scroll anchoring keeps the lines in place that a reader looks at. At the end it would move the newest line out of view.
      pane.style.overflowAnchor = isStuck ? 'none' : 'auto'
      setAway(!isStuck)
    }
    const grown = new ResizeObserver(() => {
      if (isStuck) pane.scrollTop = 0
    })
    grown.observe(inner)
    grown.observe(pane)
    pane.addEventListener('scroll', scrolled, { passive: true })
    pane.scrollTop = 0
    scrolled()
    return () => {
      grown.disconnect()
      pane.removeEventListener('scroll', scrolled)
    }
  }, [key])
  const toEnd = (behavior: ScrollBehavior) => log()?.scrollTo({ top: 0, behavior })
  return { isAway, glide: () => toEnd('smooth'), jump: () => toEnd('instant') }
}
