import type { FileRecord } from '../../records/file.ts'
import { useBytes } from './bytes.ts'
import { toMark } from './words.ts'

/** Larger pictures get no thumbnail, because the whole file would be loaded for it. */
const mostBytes = 10 * 1024 * 1024

export const Thumbnail = ({ file }: { file: FileRecord }) => {
  const { url } = useBytes(file, file.bytes <= mostBytes)
  return url ? <img src={url} alt="" /> : <span class="file-mark">{toMark(file.name)}</span>
}
