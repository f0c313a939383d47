const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 80
const clearLine = '\r\u001b[2K'

type Screen = NodeJS.WritableStream & { isTTY?: boolean }

/** Shows a spinner with the elapsed seconds on the last line of a terminal. On other outputs it writes nothing. */
export const createSpinner = (output: Screen) => {
  let timer: ReturnType<typeof setInterval> | undefined
  const stop = () => {
    if (!timer) return
    clearInterval(timer)
    timer = undefined
    output.write(clearLine)
  }
  const start = (words: string) => {
    stop()
    if (!output.isTTY) return
    const begun = Date.now()
    let frame = 0
    timer = setInterval(() => {
      const seconds = Math.floor((Date.now() - begun) / 1000)
      output.write(`${clearLine}  ${frames[frame++ % frames.length]} ${words}${seconds > 0 ? ` ${seconds} s` : ''}`)
    }, frameMs)
  }
  return { start, stop }
}
export type Spinner = ReturnType<typeof createSpinner>
