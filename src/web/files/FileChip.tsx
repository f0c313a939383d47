import { t, tn } from '../client/words.ts'
import { quoted } from '../parts/strangers.tsx'
import { useFileRecord } from './bytes.ts'
import { fileKindOf } from './kinds.ts'
import { Thumbnail } from './Thumbnail.tsx'
import { toMark, toSize } from './words.ts'

/** A file with its name, size and, of a picture, a small one. @param name shown until the record is there */
export const FileChip = ({ id, name = '' }: { id: string; name?: string }) => {
  const { value: file, error } = useFileRecord(id)
  const shown = file?.name ?? name
  return (
    <span class="chip-file">
      {file && fileKindOf(file.media_type) === 'picture' ? (
        <Thumbnail file={file} />
      ) : (
        <span class="file-mark">{toMark(shown)}</span>
      )}
      <span class="grow">
        <b class="clip">{quoted(shown || t('A file'), 80)}</b>
        <span class="q xs num">{file ? toSize(file.bytes) : error ? t('It is gone') : ' '}</span>
      </span>
    </span>
  )
}

export const FileNames = ({ ids }: { ids: string[] }) => {
  const { value } = useFileRecord(ids[0] ?? '')
  return (
    <>
      {quoted(value?.name ?? t('A file'), 60)}
      {ids.length > 1 && ` ${tn(ids.length - 1, 'and {n} more file|and {n} more files')}`}
    </>
  )
}
