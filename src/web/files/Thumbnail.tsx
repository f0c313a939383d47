import { useState } from 'hono/jsx/dom'
import type { FileRecord } from '../../records/file.ts'
import { useBytes } from './bytes.ts'
import { toMark } from './words.ts'

/** Larger pictures get no thumbnail, because the whole file would be loaded for it. */
const mostBytes = 10 * 1024 * 1024

/** A small picture of a file; the ending of its name where the bytes are no picture. */
export const Thumbnail = ({ file }: { file: FileRecord }) => {
  const { url } = useBytes(file, file.bytes <= mostBytes)
  return <SmallPicture url={url} name={file.name} />
}

export const SmallPicture = ({ url, name }: { url: string | undefined; name: string }) => {
  const [isBroken, setBroken] = useState(false)
  if (!url || isBroken) return <span class="file-mark">{toMark(name)}</span>
  return <img src={url} alt="" onError={() => setBroken(true)} />
}
