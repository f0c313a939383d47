import { useEffect } from './effects.ts'
import { useConversations, usePath, useReach } from './reach.ts'
import { setNews } from './title.ts'

/** Counts the conversations with something new in the title and the icon of the tab; what the user looks at is not new. */
export const useNews = (): void => {
  const { conversations } = useReach()
  const { unread, list } = useConversations()
  const [, , place, id = ''] = usePath().split('?')[0]?.split('/') ?? []
  const current = place === 'c' ? decodeURIComponent(id) : undefined
  // What was shown until now was seen, also if the list does not have it yet.
  useEffect(() => () => void (current && conversations.reload().then(() => conversations.see(current))), [current])
  useEffect(() => {
    const look = () => {
      const isHere = document.visibilityState === 'visible'
      if (isHere && current) conversations.see(current)
      setNews([...unread].filter(it => !(isHere && it === current)).length)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [unread, list, current])
}
