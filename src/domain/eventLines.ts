/**
 * The events of a stream of `text/event-stream`, of which each is one line of JSON, as this service writes them. An event that is
 * cut off by the end of the stream is left out (HTML, 9.2.6).
 */
export async function* readEvents<T>(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<T> {
  for await (const line of linesOf(body)) if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length))
}

// Not every browser can iterate over a stream, so it is read by its reader.
async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
