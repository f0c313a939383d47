import { useState } from 'hono/jsx/dom'
import type { FileRecord } from '../../../records/file.ts'
import { useEffect } from '../../client/effects.ts'
import { useReach, useWork } from '../../client/reach.ts'
import { t, tn } from '../../client/words.ts'
import { useBytes, useFileRecord } from '../../files/bytes.ts'
import { fileKindOf } from '../../files/kinds.ts'
import { tray } from '../../files/tray.ts'
import { toMark, toSize } from '../../files/words.ts'
import { Button } from '../../parts/basics.tsx'
import { DownloadIcon, PlusIcon } from '../../parts/icons.tsx'
import { downloadBlob, quoted } from '../../parts/strangers.tsx'

/** Files up to this size are loaded to be shown; larger ones at a tap. */
const shownBytes = 5 * 1024 * 1024

export const StoredFiles = ({ ids }: { ids: string[] }) => (
  <div class="stored">
    {ids.length > 1 && <SaveAll ids={ids} />}
    {ids.map(id => (
      <StoredFile key={id} id={id} />
    ))}
  </div>
)

const useSave = () => {
  const { api } = useReach()
  return async (id: string) => {
    const path = `/v1/files/${encodeURIComponent(id)}`
    const [{ name }, bytes] = await Promise.all([api.get<FileRecord>(`${path}/record`), api.getBytes(path)])
    downloadBlob(bytes, name)
  }
}

const SaveAll = ({ ids }: { ids: string[] }) => {
  const save = useSave()
  const work = useWork()
  const all = async () => {
    // One after the other, because a browser asks its user about several downloads at once.
    for (const id of ids) await save(id)
  }
  return (
    <div class="row">
      <span class="grow q s">{tn(ids.length, '{n} file|{n} files')}</span>
      <Button
        class="btn small"
        disabled={work.busy}
        onClick={() => work.run(all)}
        icon={<DownloadIcon />}
        words={t('Save all')}
      />
      {work.error && <span role="alert">{work.error}</span>}
    </div>
  )
}

const StoredFile = ({ id }: { id: string }) => {
  const { value: file, error, reload } = useFileRecord(id)
  if (error)
    return (
      <div class="row linkbox">
        <span class="grow q s">{error}</span>
        <Button class="btn small" onClick={reload} words={t('Try again')} />
      </div>
    )
  return file ? <Shown file={file} /> : <div class="row linkbox q s">{t('Reading the file …')}</div>
}

const Shown = ({ file }: { file: FileRecord }) => {
  const { session } = useReach()
  const save = useSave()
  const work = useWork()
  const kind = fileKindOf(file.media_type)
  const [isWanted, setWanted] = useState(file.bytes <= shownBytes)
  const isShowable = kind !== 'other'
  const use = () => {
    tray.reuse(file, session.token())
    document.querySelector<HTMLElement>('#say')?.focus()
  }
  return (
    <figure class="stored-file" aria-label={file.name}>
      {isShowable && isWanted && <Inside file={file} />}
      <figcaption class="row">
        <span class="file-mark">{toMark(file.name)}</span>
        <span class="grow">
          <b class="whole">{quoted(file.name, 120)}</b>
          <br />
          <span class="q xs num">{toSize(file.bytes)}</span>
        </span>
        {isShowable && !isWanted && <Button class="btn small" onClick={() => setWanted(true)} words={t('Show it')} />}
        <Button
          class="btn small"
          disabled={work.busy}
          onClick={() => work.run(() => save(file.file_id))}
          icon={<DownloadIcon />}
          words={t('Save')}
        />
        <Button class="btn small" onClick={use} icon={<PlusIcon />} words={t('Use in the next task')} />
        {work.error && <span role="alert">{work.error}</span>}
      </figcaption>
    </figure>
  )
}

/** The file itself, drawn by scripts that are loaded with the first file. */
const Inside = ({ file }: { file: FileRecord }) => {
  const { blob, url, error } = useBytes(file, true)
  const [viewers, setViewers] = useState<typeof import('./viewers.tsx') | undefined>(undefined)
  useEffect(() => void import('./viewers.tsx').then(setViewers, () => undefined), [])
  if (error) return <p class="q s">{error}</p>
  if (!viewers || !blob || !url) return <div class="file-wait" />
  return <viewers.FileInside file={file} blob={blob} url={url} />
}
