import type { FileLink } from '../../domain/files/fileLinks.ts'
import type { FileRecord } from '../../records/file.ts'
import { useStore } from '../client/effects.ts'
import { createListeners } from '../client/listeners.ts'
import { useReach } from '../client/reach.ts'
import { upload } from './upload.ts'

/** A file beside the message that is being written. `share`: how much of it was sent, from 0 to 1. */
export type Attached = {
  key: string
  name: string
  bytes: number
  type: string
  share: number
  /** Address of a picture that the page can show at once. */
  picture?: string | undefined
  id?: string | undefined
  error?: string | undefined
}

type Entry = Attached & { token: string | undefined; stop(): void }

/** Maximum number of files of one message. */
export const maxAttached = 10
/** Pictures that every browser draws. A larger one gets no thumbnail. */
const drawable = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/
const thumbnailBytes = 15 * 1024 * 1024

/** The files of the next message. They stay when the view changes, and go when they are sent or the page is closed. */
const createTray = () => {
  let entries: readonly Entry[] = []
  const { notify, subscribe } = createListeners()
  const publish = (next: readonly Entry[]) => {
    entries = next
    notify()
  }
  const change = (key: string, of: Partial<Attached>) => publish(entries.map(it => (it.key === key ? { ...it, ...of } : it)))
  const drop = (gone: readonly Entry[]) => {
    for (const it of gone) {
      it.stop()
      if (it.picture) URL.revokeObjectURL(it.picture)
    }
    publish(entries.filter(it => !gone.includes(it)))
  }
  const send = (file: File, token: string | undefined) => {
    const stopping = new AbortController()
    const key = crypto.randomUUID()
    const isPicture = drawable.test(file.type) && file.size <= thumbnailBytes
    const picture = isPicture ? URL.createObjectURL(file) : undefined
    const { name, size: bytes, type } = file
    publish([...entries, { key, name: name || 'file', bytes, type, share: 0, picture, token, stop: () => stopping.abort() }])
    upload(file, { token, signal: stopping.signal, onProgress: share => change(key, { share }) }).then(
      it => change(key, { id: it.file_id, name: it.name, type: it.media_type, share: 1 }),
      error => change(key, { error: error instanceof Error ? error.message : 'That did not work.' }),
    )
  }
  return {
    all: () => entries,
    subscribe,
    /** Starts to send files; what is more than a message takes is left out. */
    add: (files: Iterable<File>, token: string | undefined) => {
      for (const file of [...files].slice(0, maxAttached - entries.length)) send(file, token)
    },
    /** Adds a file that the service has already. */
    reuse: ({ file_id: id, name, bytes, media_type: type }: FileRecord, token: string | undefined) => {
      if (entries.some(it => it.id === id) || entries.length >= maxAttached) return
      publish([...entries, { key: crypto.randomUUID(), id, name, bytes, type, share: 1, token, stop: () => undefined }])
    },
    remove: (key: string) => drop(entries.filter(it => it.key === key)),
    clear: () => drop(entries),
  }
}

export const tray = createTray()

/** The files of these that a message can name. */
export const toLinks = (attached: readonly Attached[]): FileLink[] =>
  attached.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }]))

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
