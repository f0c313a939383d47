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
