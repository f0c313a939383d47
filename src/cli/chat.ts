import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { createClient } from './client.ts'
import { say } from './talk.ts'

type ChatOptions = {
  url: string
  token: string
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream & { isTTY?: boolean }
}

const greeting = `Your butler is listening. Try: what time is it in Tokyo?
Or: summarize this text: "…". It hires only after your yes. Ctrl-D or "quit" ends.`

/** A conversation in the terminal: each line is said to the butler, steps appear as they happen. */
export const chat = async ({ url, token, input, output }: ChatOptions): Promise<void> => {
  const client = createClient({ url, token })
  const conversationId = `cli-${randomUUID()}`
  const write = (text: string) => void output.write(`${text}\n`)
  const dim = (text: string) => (output.isTTY ? `\u001b[2m${text}\u001b[0m` : text)
  const reader = createInterface({ input, output, prompt: 'you> ', terminal: output.isTTY === true })
  write(greeting)
  reader.prompt()
  for await (const line of reader) {
    const text = line.trim()
    if (text === 'quit' || text === 'exit') break
    if (text) await speak(text)
    reader.prompt()
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
