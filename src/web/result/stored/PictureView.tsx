import { useRef, useState } from 'hono/jsx/dom'
import { CrossIcon } from '../../parts/icons.tsx'
import type { InsideProps } from './inside.ts'

const steps = [1, 1.5, 2, 3, 4, 6]

/** A picture that opens in a viewer: Escape closes it, plus and minus change its size, and 0 makes it fit. */
export const PictureView = ({ file, url }: InsideProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [step, setStep] = useState(0)
  const [isBroken, setBroken] = useState(false)
  const zoom = (by: number) => setStep(it => Math.max(0, Math.min(steps.length - 1, it + by)))
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === '+' || key === '=') zoom(1)
    if (key === '-') zoom(-1)
    if (key === '0') setStep(0)
    if (key === 'Escape') dialog.current?.close()
  }
  if (isBroken) return <p class="q s">This picture cannot be shown. Save it to open it elsewhere.</p>
  return (
    <>
      <button type="button" class="mat picture-open" aria-label={`Open ${file.name}`} onClick={() => dialog.current?.showModal()}>
        <img src={url} alt={file.name} onError={() => setBroken(true)} />
      </button>
      <dialog ref={dialog} class="viewer" aria-label={file.name} onKeyDown={onKeyDown}>
        <div class="viewer-bar">
          <b class="grow clip">{file.name}</b>
          <button type="button" class="btn small" disabled={step === 0} onClick={() => zoom(-1)} aria-label="Smaller">
            −
          </button>
          <span class="num s" aria-live="polite">
            {Math.round((steps[step] ?? 1) * 100)} %
          </span>
          <button
            type="button"
            class="btn small"
            disabled={step === steps.length - 1}
            onClick={() => zoom(1)}
            aria-label="Larger"
          >
            +
          </button>
          <button type="button" class="icon-btn" aria-label="Close" onClick={() => dialog.current?.close()}>
            <CrossIcon />
          </button>
        </div>
        <section class="viewer-in" tabindex={0} aria-label="The picture; scroll to move it">
          <img src={url} alt={file.name} class={`zoom-${step}`} />
        </section>
      </dialog>
    </>
  )
}
