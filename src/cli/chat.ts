import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { conversationsRecord, historyRecord } from '../records/conversation.ts'
import { type Client, createClient } from './client.ts'
import { ownCommand, ownCommandWith } from './ownCommand.ts'
import { createPaint, hidePictures } from './paint.ts'
import { createSpinner } from './spinner.ts'
import { createTurns } from './turns.ts'

type ChatOptions = {
  url: string
  token: string
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  /** The conversation to continue: its id, or `true` for the newest one. */
  resume?: string | true
}

const greeting = `Your butler is listening. Try: what time is it in Tokyo?
Or: summarize this text: "…". It hires only after your yes. Ctrl-D or "quit" ends.`

const shownTurns = 4

/** Returns the id of a new or continued conversation, and prints the last messages of the latter. */
const begin = async (client: Client, { resume }: Pick<ChatOptions, 'resume'>, tell: (line: string) => void): Promise<string> => {
  if (resume === undefined) return `cli-${randomUUID()}`
  const newest = conversationsRecord.parse(await client.get('/conversations')).conversations[0]?.conversation_id
  const id = resume === true ? newest : resume
  if (id === undefined) throw new Error(`There is no conversation to resume. Start one with: ${ownCommand('chat')}`)
  const { messages } = historyRecord.parse(await client.get(`/conversations/${encodeURIComponent(id)}/history`))
  for (const { role, content } of messages.slice(-shownTurns))
    tell(`${role === 'user' ? 'you' : 'butler'}> ${hidePictures(content)}`)
  return id
}

/**
 * Runs a conversation: each line is sent to the butler, and its steps are printed as they happen. It ends with the input, after
 * the last answer. Without a terminal it repeats the lines, so that the output reads as a conversation.
 */
export const chat = async ({ url, token, input, output, resume }: ChatOptions): Promise<void> => {
  const client = createClient({ url, token })
  const paint = createPaint(output)
  const spinner = createSpinner(output)
  const write = (text: string) => void output.write(`${paint.wrap(text)}\n`)
  const conversationId = await begin(client, { ...(resume !== undefined && { resume }) }, line =>
    write(paint.dim(paint.plain(line))),
  )
  const speak = createTurns({ client, conversationId, url, output, paint, spinner, write })
  const terminal = input.isTTY === true && output.isTTY === true
  const reader = createInterface({ input, output, prompt: 'you> ', terminal })
  let isOpen = true
  reader.once('close', () => {
    isOpen = false
  })
  // Readline intercepts Ctrl-C, so the process would otherwise wait for the pending answer.
  reader.once('SIGINT', () => {
    spinner.stop()
    write(`\nThe chat is closed; a running job continues. Resume with: ${ownCommandWith('chat', `--resume ${conversationId}`)}`)
    process.exit(130)
  })
  const prompt = () => {
    if (terminal && isOpen) reader.prompt()
  }
  write(greeting)
  prompt()
  for await (const line of reader) {
    const text = line.trim()
    if (text && !terminal) write(`you> ${text}`)
    if (text === 'quit' || text === 'exit') break
    if (text) await speak(text)
    prompt()
  }
  reader.close()
}
