import { useStore } from '../client/effects.ts'
import { useReach } from '../client/reach.ts'
import { type Attached, tray } from './tray.ts'

/** The files beside the user's next message, and how to add and remove them. */
export const useTray = () => {
  const { session } = useReach()
  const token = session.token()
  const attached: readonly Attached[] = useStore(tray.subscribe, tray.all).filter(it => it.token === token)
  return {
    attached,
    isSending: attached.some(it => it.id === undefined && it.error === undefined),
    add: (files: Iterable<File>) => tray.add(files, token),
  }
}
