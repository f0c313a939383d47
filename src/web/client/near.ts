/** What is this far from the view is drawn, so that nothing is empty when it comes into view. */
const rootMargin = '900px 0px'

type Seen = (entry: IntersectionObserverEntry) => void

const watched = new WeakMap<Element, Seen>()
let observer: IntersectionObserver | undefined

/** Calls a function whenever an element comes near the view, or leaves it. @returns a function that ends it */
export const watchNear = (element: Element, seen: Seen): (() => void) => {
  // One observer for all: hundreds of them would make scrolling slow.
  observer ??= new IntersectionObserver(entries => entries.forEach(it => void watched.get(it.target)?.(it)), { rootMargin })
  watched.set(element, seen)
  observer.observe(element)
  return () => {
    watched.delete(element)
    observer?.unobserve(element)
  }
}
