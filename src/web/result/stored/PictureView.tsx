import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from '../../client/effects.ts'
import { t } from '../../client/words.ts'
import { Button } from '../../parts/basics.tsx'
import { CrossIcon } from '../../parts/icons.tsx'
import type { InsideProps } from './inside.ts'

const steps = [1, 1.5, 2, 3, 4, 6]

export const PictureView = ({ file, url }: InsideProps) => {
  const [isOpen, setOpen] = useState(false)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <p class="q s">{t('This picture cannot be shown. Save it to open it elsewhere.')}</p>
  return (
    <>
      <button type="button" class="mat picture-open" aria-label={`${t('Open')} ${file.name}`} onClick={() => setOpen(true)}>
        <img src={url} alt={file.name} onError={() => setBroken(true)} />
      </button>
      {isOpen && <Viewer name={file.name} url={url} close={() => setOpen(false)} />}
    </>
  )
}

/** Escape closes the viewer, plus and minus change the size of the picture, and 0 makes it fit. */
const Viewer = ({ name, url, close }: { name: string; url: string; close(): void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [step, setStep] = useState(0)
  const scale = steps[step] ?? 1
  // The dialog itself returns the focus. What is behind an open one cannot take it.
  const end = () => {
    dialog.current?.close()
    close()
  }
  const zoom = (by: number) => setStep(it => Math.max(0, Math.min(steps.length - 1, it + by)))
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key === '+' || key === '=') zoom(1)
      if (key === '-') zoom(-1)
      if (key === '0') setStep(0)
      if (key === 'Escape') end()
    }
    dialog.current?.showModal()
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <dialog ref={dialog} class="viewer" aria-label={name}>
      <div class="viewer-bar">
        <b class="grow clip">{name}</b>
        <Button class="btn small" disabled={step === 0} onClick={() => zoom(-1)} aria-label={t('Smaller')} words="−" />
        <span class="num s" aria-live="polite">
          {scale * 100} %
        </span>
        <Button
          class="btn small"
          disabled={step === steps.length - 1}
          onClick={() => zoom(1)}
          aria-label={t('Larger')}
          words="+"
        />
        <Button class="icon-btn" aria-label={t('Close')} onClick={end} icon={<CrossIcon />} />
      </div>
      <section class="viewer-in" tabindex={0} aria-label={t('The picture; scroll to move it')}>
        <img src={url} alt={name} class={step > 0 ? 'larger' : ''} style={step > 0 ? { width: `${scale * 100}%` } : {}} />
      </section>
    </dialog>
  )
}
