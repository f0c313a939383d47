import { useState } from 'hono/jsx/dom'
import { readPixels } from '../../domain/files/pixels.ts'
import type { FileRecord } from '../../records/file.ts'
import { useEffect } from '../client/effects.ts'
import { type Loaded, toWords, useLoaded, useReach } from '../client/reach.ts'
import { fileKindOf, inertType } from './kinds.ts'

export const useFileRecord = (id: string): Loaded<FileRecord> =>
  useLoaded<FileRecord>(`/v1/files/${encodeURIComponent(id)}/record`)

/** Pixels of the largest picture that is drawn, 400 MB when decoded, and the bytes in which a picture tells its size. */
const mostPixels = 100_000_000
const headBytes = 1024 * 1024
const tooManyPixels = 'This picture cannot be shown. Save it to open it elsewhere.'

/** Whether a picture is so large that decoding it could end the page. A file of a few KB can say so. */
const isTooLarge = async (picture: Blob): Promise<boolean> => {
  const size = readPixels(new Uint8Array(await picture.slice(0, headBytes).arrayBuffer()))
  return size !== undefined && size.width * size.height > mostPixels
}

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
      async bytes => {
        const mediaType = file?.media_type ?? ''
        const isHidden = fileKindOf(mediaType) === 'picture' && (await isTooLarge(bytes))
        if (gone.signal.aborted) return
        if (isHidden) return setState({ error: tooManyPixels })
        const blob = new Blob([bytes], { type: inertType(mediaType) })
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
