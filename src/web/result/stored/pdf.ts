import { GlobalWorkerOptions, getDocument, version } from 'pdfjs-dist'

// The service serves the worker under this name. It reads the strange bytes in a thread of its own.
GlobalWorkerOptions.workerSrc = `/assets/pdfWorker-${version}.js`

/** Points of the largest page that is drawn. A page can claim to be as large as a field. */
const mostPoints = 4_000_000
const width = 900

/** Opens a PDF. Rejects when it is none. */
export const openPdf = async (bytes: ArrayBuffer) => {
  const loading = getDocument({
    data: bytes,
    enableXfa: false,
    useWasm: false,
    maxImageSize: mostPoints * 4,
    stopAtErrors: false,
  })
  const document = await loading.promise
  return {
    pages: document.numPages,
    close: () => void loading.destroy(),
    /** Draws a page, from 1, on a canvas. */
    async draw(number: number, canvas: HTMLCanvasElement): Promise<void> {
      const page = await document.getPage(number)
      const whole = page.getViewport({ scale: 1 })
      const scale = Math.min(width / whole.width, Math.sqrt(mostPoints / (whole.width * whole.height)))
      const viewport = page.getViewport({ scale })
      canvas.width = Math.ceil(viewport.width)
      canvas.height = Math.ceil(viewport.height)
      await page.render({ canvas, viewport }).promise
      page.cleanup()
    },
  }
}
