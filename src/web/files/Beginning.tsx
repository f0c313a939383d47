import { useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { t } from '../client/words.ts'
import { useBytes, useFileRecord } from './bytes.ts'
import { fileKindOf } from './kinds.ts'
import { toFirstLines } from './words.ts'

/** Bytes that are read for the first lines. */
const readBytes = 2_048

/** The reader of encodings is loaded when the first file is shown. */
const readFirstLines = async (blob: Blob): Promise<string> => {
  const { readText } = await import('./readText.ts')
  return toFirstLines(await readText(blob, readBytes))
}

/** The first lines of a text or a table, so that its user sees which file it is. Nothing for any other file. */
export const Beginning = ({ id }: { id: string }) => {
  const { value: file } = useFileRecord(id)
  const [lines, setLines] = useState('')
  const hasLines = file !== undefined && ['text', 'table'].includes(fileKindOf(file.media_type)) && file.bytes > 0
  const { blob } = useBytes(file, hasLines, readBytes)
  useEffect(() => void (blob && readFirstLines(blob).then(setLines)), [blob])
  if (!file || !lines) return null
  return (
    <pre class="file-begin xs" aria-label={t('The beginning of {name}', { name: file.name })} role="note">
      {lines}
    </pre>
  )
}
