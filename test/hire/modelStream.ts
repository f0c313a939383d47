// Answers of a provider with the chat completions API of OpenAI: whole, and as a stream of events.

const base = { id: 'chat-1', created: 1, model: 'scripted' }
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

/** A whole answer. */
export const completion = (message: object, finish = 'stop') =>
  Response.json({
    ...base,
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }],
    usage,
  })

/** An answer of OpenAI's Responses API as server-sent events: text in pieces, then the calls of tools. */
export const responses = ({ content, calls }: Streamed) => {
  const message = { type: 'message', id: 'm' }
  const texts = (content.match(/\S+\s*/g) ?? []).map(delta => ({ type: 'response.output_text.delta', item_id: 'm', delta }))
  const called = calls.flatMap(({ tool, ...given }, at) => {
    const text = JSON.stringify(given)
    const item = { type: 'function_call', id: `f${at}`, call_id: `c${at}`, name: tool }
    return [
      { type: 'response.output_item.added', output_index: at + 1, item: { ...item, arguments: '' } },
      { type: 'response.function_call_arguments.delta', item_id: `f${at}`, output_index: at + 1, delta: text },
      { type: 'response.output_item.done', output_index: at + 1, item: { ...item, arguments: text, status: 'completed' } },
    ]
  })
  const events = [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'scripted' } },
    { type: 'response.output_item.added', output_index: 0, item: message },
    ...texts,
    { type: 'response.output_item.done', output_index: 0, item: message },
    ...called,
    { type: 'response.completed', response: { usage: { input_tokens: 1, output_tokens: 1 } } },
  ]
  const body = events.map(it => `data: ${JSON.stringify(it)}\n\n`).join('')
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

type Streamed = { content: string; calls: ({ tool: string } & Record<string, unknown>)[] }

/** An answer as server-sent events: a word at a time, then the calls of tools. */
export const streamed = ({ content, calls }: Streamed) => {
  const chunk = (delta: object, finish: string | null = null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const toCall = ({ tool, ...given }: Streamed['calls'][number], index: number) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(given) },
  })
  const chunks = [
    chunk({ role: 'assistant' }),
    ...(content.match(/\S+\s*/g) ?? []).map(it => chunk({ content: it })),
    ...(calls.length > 0 ? [chunk({ tool_calls: calls.map(toCall) })] : []),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { ...base, object: 'chat.completion.chunk', choices: [], usage },
  ]
  const events = [...chunks.map(it => JSON.stringify(it)), '[DONE]'].map(it => `data: ${it}\n\n`)
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
}

/** The bytes of a stream that ends in another way than its provider meant to. `open`: it stays open, `torn`: it breaks. */
export type End = 'whole' | 'torn' | 'open'

const byteStream = (parts: string[], end: End) => {
  const left = [...parts]
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = left.shift()
      if (part !== undefined) controller.enqueue(new TextEncoder().encode(part))
      else if (end === 'torn') controller.error(new Error('cut'))
      else if (end === 'whole') controller.close()
      else return new Promise(() => undefined)
    },
  })
}

/** The first part of another answer, by its share (0–1) of characters, with an end of its own. */
export const cutAt = async (answer: Response, share: number, end: End) => {
  const text = await answer.text()
  return new Response(byteStream([text.slice(0, Math.floor(text.length * share))], end), { headers: answer.headers })
}

/** Another answer, of which a piece comes each `everyMs`. */
export const dripped = async (answer: Response, everyMs: number) => {
  const parts = (await answer.text()).split(/(?<=\n\n)/)
  const pause = () => new Promise(resolve => setTimeout(resolve, everyMs))
  return new Response(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const part = parts.shift()
        if (part === undefined) return controller.close()
        controller.enqueue(new TextEncoder().encode(part))
        await pause()
      },
    }),
    { headers: answer.headers },
  )
}
