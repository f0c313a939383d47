import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { z } from 'zod'
import { conversationsRecord, historyRecord } from '../records/conversation.ts'
import { type Client, createClient } from './client.ts'
import { ownCommand, ownCommandWith } from './ownCommand.ts'
import { createPaint, hidePictures, shorten, toTable } from './paint.ts'
import { createSpinner } from './spinner.ts'
import { type Reply, type Step, say } from './talk.ts'

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

const delivered = z.object({ job: z.object({ deliverable: z.string() }).optional() })

/** Number of messages shown of a continued conversation. */
const shownTurns = 4

/** Returns the id of a new or continued conversation, and prints the last messages of the latter. */
const begin = async (client: Client, { resume }: Pick<ChatOptions, 'resume'>, tell: (line: string) => void): Promise<string> => {
  if (resume === undefined) return `cli-${randomUUID()}`
  const newest = conversationsRecord.parse(await client.get('/conversations')).conversations[0]?.conversation_id
  const id = resume === true ? newest : resume
  if (id === undefined) throw new Error(`There is no conversation to resume. Start one with: ${ownCommand('chat')}`)
  const { messages } = historyRecord.parse(await client.get(`/conversations/${encodeURIComponent(id)}/history`))
  for (const { role, content } of messages.slice(-shownTurns)) tell(`${role === 'user' ? 'you' : 'butler'}> ${content}`)
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

  async function speak(text: string) {
    let last = Date.now()
    const onStep = (step: Step) => {
      if (step.type === 'transaction') return
      spinner.stop()
      const took = paint.isTTY ? `  ${((Date.now() - last) / 1000).toFixed(1)} s` : ''
      last = Date.now()
      const words = paint.plain(step.words.split('\n')[0] ?? '')
      write(paint.dim(`  · ${paint.isTTY ? shorten(words) : words}${took}`))
      spinner.start('working')
    }
    spinner.start('thinking')
    const reply = await say(client, { text, conversationId }, onStep).catch((error: Error) => ({
      content: '',
      error: error.message,
    }))
    spinner.stop()
    if (reply.error) return write(`${paint.bold('butler>')} ${paint.warn(`I could not: ${paint.plain(reply.error)}`)}`)
    const content = hidePictures(reply.content)
    write(`${paint.bold('butler>')} ${paint.isTTY ? decorate(paint.plain(content)) : content}`)
    if (content !== reply.content && 'run_id' in reply) write(paint.dim(`See the picture at ${url}/app/runs/${reply.run_id}`))
    const table = paint.isTTY && 'run_id' in reply ? await tableOf(reply) : undefined
    if (table) output.write(`\n${table}\n`)
  }

  /** Highlights prices and refunds, and shortens ids. */
  function decorate(content: string): string {
    return shorten(content)
      .replace(/\d+(?:\.\d+)? USDC/g, amount => paint.bold(amount))
      .replace(/^It passed its checks\./m, words => paint.good(words))
      .replace(/are back in your wallet\./, words => paint.warn(words))
  }

  /** Returns a delivered list as a table, to be printed below the answer. */
  async function tableOf({ run_id }: Reply): Promise<string | undefined> {
    const run = delivered.safeParse(await client.get(`/runs/${run_id}`).catch(() => undefined))
    return run.data?.job && toTable(run.data.job.deliverable)
  }
}
