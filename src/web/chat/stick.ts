import { useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'

/** A log scrolled to within this many px of its end counts as being at the end. */
const nearPx = 48
/** Space in px above an answer that is scrolled to the top. */
const abovePx = 12

/** The log is laid out from its end (`column-reverse`): its end is scroll position 0, and earlier lines have negative ones. */
const isAtEnd = (log: HTMLElement): boolean => -log.scrollTop < nearPx

const entries = ':is(.log-in, .turns) > :is(.me, .butler, .was, .slip, .choosing, .result)'

/** Scrolls so that an entry begins at the top of the log. */
export const toTopOf = (log: HTMLElement, entry: Element, behavior: ScrollBehavior = 'instant'): void => {
  const below = entry.getBoundingClientRect().top - log.getBoundingClientRect().top
  log.scrollTo({ top: log.scrollTop + below - abovePx, behavior })
}

/**
 * Scrolls to the newest line. A new answer that is taller than the log is shown from its beginning, as one reads it; a proposal
 * is shown with its button.
 */
const toNewest = (log: HTMLElement): void => {
  log.scrollTop = 0
  const newest = [...log.querySelectorAll(entries)].at(-1)
  if (!newest?.matches('.result, .butler')) return
  if (newest.getBoundingClientRect().top < log.getBoundingClientRect().top) toTopOf(log, newest)
}

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
      if (isStuck) toNewest(pane)
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
