import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { createClient } from './client.ts'
import { say } from './talk.ts'

type ChatOptions = {
  url: string
  token: string
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream & { isTTY?: boolean }
}

const greeting = `Your butler is listening. Try: what time is it in Tokyo?
Or: summarize this text: "…". It hires only after your yes. Ctrl-D or "quit" ends.`

/**
 * A conversation: each line is said to the butler, steps appear as they happen. Ends with the input, once the last line
 * was answered; without a terminal the lines are repeated, so that what comes out reads as a conversation.
 */
export const chat = async ({ url, token, input, output }: ChatOptions): Promise<void> => {
  const client = createClient({ url, token })
  const conversationId = `cli-${randomUUID()}`
  const write = (text: string) => void output.write(`${text}\n`)
  const dim = (text: string) => (output.isTTY ? `\u001b[2m${text}\u001b[0m` : text)
  const terminal = input.isTTY === true && output.isTTY === true
  const reader = createInterface({ input, output, prompt: 'you> ', terminal })
  let isOpen = true
  reader.once('close', () => {
    isOpen = false
  })
  // Readline takes Ctrl-C from the terminal; without this it would wait for the answer that is on its way.
  reader.once('SIGINT', () => process.exit(130))
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
    const onStep = (step: { words: string }) => write(dim(`  · ${step.words.split('\n')[0]}`))
    const reply = await say(client, { text, conversationId }, onStep).catch((error: Error) => ({
      content: '',
      error: error.message,
    }))
    write(reply.error ? `butler> I could not: ${reply.error}` : `butler> ${reply.content}`)
  }
}
