import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { useReach } from '../client/reach.ts'
import { type List, readPage } from './offers.ts'
import { mostShown, pageSize } from './query.ts'
import { type Shown, Tile } from './Tile.tsx'

/** Height in px of a page that was not drawn yet, until one was. */
const firstGuess = 2_500

/** What is this far from the view is drawn, so that nothing is empty when it comes into view. */
const rootMargin = '900px 0px'

type Seen = (entry: IntersectionObserverEntry) => void

const watched = new WeakMap<Element, Seen>()
let observer: IntersectionObserver | undefined

/** Calls a function whenever an element comes near the view, or leaves it. @returns a function that ends it */
const watchNear = (element: Element, seen: Seen): (() => void) => {
  // One observer for all: hundreds of them would make scrolling slow.
  observer ??= new IntersectionObserver(entries => entries.forEach(it => void watched.get(it.target)?.(it)), { rootMargin })
  watched.set(element, seen)
  observer.observe(element)
  return () => {
    watched.delete(element)
    observer?.unobserve(element)
  }
}

/** All offerings of a list, page by page. Only the pages near the view are read and drawn; the others keep their height. */
export const Endless = ({ list }: { list: List }) => {
  const count = Math.ceil(Math.min(list.total, mostShown) / pageSize)
  useEffect(() => {
    const forget = () => list.heights.clear()
    addEventListener('resize', forget)
    return () => removeEventListener('resize', forget)
  }, [list])
  return (
    <div class="pages">
      {Array.from({ length: count }, (_, at) => (
        <Page key={at} list={list} at={at} />
      ))}
    </div>
  )
}

const Page = ({ list, at }: { list: List; at: number }) => {
  const { api } = useReach()
  const place = useRef<HTMLUListElement>(null)
  const [isNear, setNear] = useState(at === 0)
  const [offers, setOffers] = useState<Shown[] | undefined>(list.pages.get(at))
  const isDrawn = useRef(false)
  isDrawn.current = isNear && offers !== undefined
  useEffect(() => {
    if (!place.current) return
    return watchNear(place.current, ({ isIntersecting, boundingClientRect }) => {
      if (!isIntersecting && isDrawn.current) list.heights.set(at, boundingClientRect.height)
      setNear(isIntersecting)
    })
  }, [list])
  useEffect(() => {
    if (!isNear || offers) return
    const gone = new AbortController()
    // A page that was not read is read when it comes near again.
    readPage(path => api.get(path, gone.signal), list, at).then(setOffers, () => undefined)
    return () => gone.abort()
  }, [isNear])
  const [anyHeight = firstGuess] = list.heights.values()
  const height = isDrawn.current ? undefined : `${list.heights.get(at) ?? anyHeight}px`
  return (
    <ul class="grid" ref={place} style={height === undefined ? {} : { 'min-height': height }}>
      {isNear && offers?.map(it => <Tile key={`${it.agent_id} ${it.offering_id}`} offer={it} />)}
    </ul>
  )
}
