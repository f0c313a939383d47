import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { toWords, useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { useBytes, useFileRecord } from './bytes.ts'
import { FileChip } from './FileChip.tsx'
import { fileKindOf } from './kinds.ts'
import { upload } from './upload.ts'
import { fileIdsIn, toFirstLines } from './words.ts'

type FieldProps = {
  id: string
  /** What the file is, for readers of the screen. */
  label: string
  isList: boolean
  /** The id of the file, or a list of ids as JSON; empty without a file. */
  value: string
  isOff?: boolean
  set(value: string): void
  /** Called when another file was taken. */
  done?: (() => void) | undefined
}

type Sending = { share: number; error?: string }

/** Sends chosen files, and then sets their ids as the value of the field. */
const useSending = ({ isList, value, set, done }: Pick<FieldProps, 'isList' | 'value' | 'set' | 'done'>) => {
  const { session } = useReach()
  const [sending, setSending] = useState<Sending | undefined>(undefined)
  const taken = useRef('')
  useEffect(() => {
    // The new terms are asked for when the field has the value, and once.
    if (taken.current !== value || !value) return
    taken.current = ''
    done?.()
  }, [value])
  const send = async (files: File[]) => {
    setSending({ share: 0 })
    try {
      const { signal } = new AbortController()
      const onProgress = (share: number) => setSending({ share })
      const kept = []
      for (const it of files) kept.push(await upload(it, { token: session.token(), signal, onProgress }))
      const ids = kept.map(it => it.file_id)
      taken.current = isList ? JSON.stringify(ids) : (ids[0] ?? '')
      set(taken.current)
      setSending(undefined)
    } catch (error) {
      setSending({ share: 0, error: toWords(error) })
    }
  }
  return [sending, send] as const
}

export const FileField = (props: FieldProps) => {
  const { id, label, isList, value, isOff = false } = props
  const chooser = useRef<HTMLInputElement>(null)
  const [sending, send] = useSending(props)
  const chosen = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || !target.files?.length) return
    void send([...target.files])
    target.value = ''
  }
  const ids = fileIdsIn(value)
  const offer = ids.length > 0 ? t('Change') : isList ? t('Choose files') : t('Choose a file')
  const isSending = sending !== undefined && sending.error === undefined
  return (
    <span class="file-field">
      {ids.map(it => (
        <FileChip key={it} id={it} />
      ))}
      <Button
        class="link"
        id={id}
        aria-label={`${offer}: ${label}`}
        disabled={isOff || isSending}
        onClick={() => chooser.current?.click()}
        words={offer}
      />
      <input ref={chooser} type="file" hidden multiple={isList} data-field={id} onChange={chosen} />
      {ids.map(it => (
        <Beginning key={it} id={it} />
      ))}
      {isSending && <progress value={sending.share} max={1} aria-label={t('Sending the file')} />}
      {sending?.error && (
        <span class="q xs" role="alert">
          {sending.error}
        </span>
      )}
    </span>
  )
}

/** Bytes that are read for the first lines. */
const readBytes = 2_048

/** The reader of encodings is loaded when the first file is shown. */
const readFirstLines = async (blob: Blob): Promise<string> => {
  const { readText } = await import('./readText.ts')
  return toFirstLines(await readText(blob, readBytes))
}

/** The first lines of a text or a table, so that its user sees which file it is. Nothing for any other file. */
const Beginning = ({ id }: { id: string }) => {
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
