import { useState } from 'hono/jsx/dom'
import type { FileRecord } from '../../records/file.ts'
import { useEffect } from '../client/effects.ts'
import { type Loaded, toWords, useLoaded, useReach } from '../client/reach.ts'
import { inertType } from './kinds.ts'

/** Name, type and size of a file that its reader may read. */
export const useFileRecord = (id: string): Loaded<FileRecord> =>
  useLoaded<FileRecord>(`/v1/files/${encodeURIComponent(id)}/record`)

export type Bytes = { blob?: Blob; url?: string; error?: string }

/**
 * The bytes of a file as a blob with an address of this page, once they are wanted. The address ends with the component.
 * @param most the bytes that are read, from the first; all without it
 */
export const useBytes = (file: FileRecord | undefined, isWanted: boolean, most?: number): Bytes => {
  const { api } = useReach()
  const [state, setState] = useState<Bytes>({})
  const id = isWanted ? file?.file_id : undefined
  useEffect(() => {
    if (id === undefined) return
    const gone = new AbortController()
    let url: string | undefined
    api.getBytes(`/v1/files/${encodeURIComponent(id)}`, gone.signal, most).then(
      bytes => {
        const blob = new Blob([bytes], { type: inertType(file?.media_type ?? '') })
        url = URL.createObjectURL(blob)
        setState({ blob, url })
      },
      error => gone.signal.aborted || setState({ error: toWords(error) }),
    )
    return () => {
      gone.abort()
      if (url) URL.revokeObjectURL(url)
    }
  }, [id])
  return state
}
