import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from '../../client/effects.ts'
import { t } from '../../client/words.ts'
import { Button } from '../../parts/basics.tsx'
import { BackIcon, ChevronIcon } from '../../parts/icons.tsx'
import type { InsideProps } from './inside.ts'

type Pdf = Awaited<ReturnType<typeof import('./pdf.ts')['openPdf']>>

/** The pages of a PDF as pictures, one at a time. The reader of PDFs is loaded with the first one; it executes nothing. */
export const PdfPages = ({ file, blob }: InsideProps) => {
  const [pdf, setPdf] = useState<Pdf | undefined>(undefined)
  const [error, setError] = useState('')
  const [page, setPage] = useState(1)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isHere = true
    let opened: Pdf | undefined
    const open = async () => {
      const { openPdf } = await import('./pdf.ts')
      opened = await openPdf(await blob.arrayBuffer())
      if (isHere) setPdf(opened)
      else opened.close()
    }
    open().catch(() => setError(t('This file cannot be shown. Save it to open it elsewhere.')))
    return () => {
      isHere = false
      opened?.close()
    }
  }, [blob])
  useEffect(() => {
    if (pdf && canvas.current)
      void pdf.draw(page, canvas.current).catch(() => setError(t('This file cannot be shown. Save it to open it elsewhere.')))
  }, [pdf, page])
  if (error) return <p class="q s">{error}</p>
  const turn = (by: number) => setPage(it => Math.max(1, Math.min(pdf?.pages ?? 1, it + by)))
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft' || key === 'PageUp') turn(-1)
    if (key === 'ArrowRight' || key === 'PageDown') turn(1)
  }
  return (
    <section class="pdf" tabindex={0} aria-label={file.name} onKeyDown={onKeyDown}>
      <div class="mat">
        <canvas ref={canvas} role="img" aria-label={`${file.name}, ${page}`} />
      </div>
      {pdf && pdf.pages > 1 && (
        <div class="row pdf-bar">
          <Button
            class="icon-btn"
            aria-label={t('Page before')}
            disabled={page === 1}
            onClick={() => turn(-1)}
            icon={<BackIcon />}
          />
          <span class="num s" aria-live="polite">
            {t('Page {page} of {pages}', { page: String(page), pages: String(pdf.pages) })}
          </span>
          <Button
            class="icon-btn next"
            aria-label={t('Next page')}
            disabled={page === pdf.pages}
            onClick={() => turn(1)}
            icon={<ChevronIcon />}
          />
        </div>
      )}
    </section>
  )
}
