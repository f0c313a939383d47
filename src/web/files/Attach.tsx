import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { t } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { CameraIcon, ClipIcon, CrossIcon } from '../parts/icons.tsx'
import { quoted } from '../parts/strangers.tsx'
import { SmallPicture } from './Thumbnail.tsx'
import { type Attached, tray } from './tray.ts'
import { toSize } from './words.ts'

type AddProps = { add(files: Iterable<File>): void }

export const AttachButtons = ({ add }: AddProps) => {
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const chosen = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement)) return
    add(target.files ?? [])
    // The same file can be chosen again after it was removed.
    target.value = ''
  }
  return (
    <>
      <Button
        class="icon-btn attach"
        aria-label={t('Add files')}
        title={t('Add files')}
        onClick={() => files.current?.click()}
        icon={<ClipIcon />}
      />
      <Button
        class="icon-btn attach camera"
        aria-label={t('Take a photo')}
        title={t('Take a photo')}
        onClick={() => camera.current?.click()}
        icon={<CameraIcon />}
      />
      <input ref={files} type="file" multiple hidden data-attach="files" onChange={chosen} />
      <input ref={camera} type="file" accept="image/*" capture="environment" hidden data-attach="camera" onChange={chosen} />
    </>
  )
}

export const AttachedFiles = ({ attached }: { attached: readonly Attached[] }) =>
  attached.length === 0 ? null : (
    <ul class="attached" aria-label={t('Files of this message')}>
      {attached.map(it => (
        <AttachedFile key={it.key} file={it} />
      ))}
    </ul>
  )

const AttachedFile = ({ file: { key, name, bytes, share, picture, id, error } }: { file: Attached }) => {
  const isSending = id === undefined && error === undefined
  return (
    <li class={`chip-file ${error ? 'bad' : ''}`}>
      <SmallPicture url={picture} name={name} />
      <span class="grow">
        <b class="clip">{quoted(name, 80)}</b>
        <span class="q xs num" role={error ? 'alert' : undefined}>
          {error ?? toSize(bytes)}
        </span>
        {isSending && <progress value={share} max={1} aria-label={`${t('Sending the file')} ${name}`} />}
      </span>
      <Button
        class="icon-btn"
        aria-label={`${isSending ? t('Cancel') : t('Remove')} ${name}`}
        onClick={() => tray.remove(key)}
        icon={<CrossIcon />}
      />
    </li>
  )
}

const hasFiles = (it: DragEvent) => it.dataTransfer?.types.includes('Files') ?? false

/** Takes files that are dropped anywhere on the page, and says so while they are above it. */
export const DropPlace = ({ add }: AddProps) => {
  const [isOver, setOver] = useState(false)
  const latest = useRef(add)
  latest.current = add
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      latest.current?.(event.dataTransfer?.files ?? [])
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver ? <div class="drop-place">{t('Drop your files here')}</div> : null
}
