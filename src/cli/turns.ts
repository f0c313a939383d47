import { z } from 'zod'
import { runRecord } from '../records/run.ts'
import type { Client } from './client.ts'
import { hidePictures, type Paint, shorten, toTable } from './paint.ts'
import type { Spinner } from './spinner.ts'
import { type Reply, type Step, say } from './talk.ts'

const delivered = z.object({ job: runRecord.shape.job.unwrap().pick({ deliverable: true }).optional() })

type Turns = {
  client: Client
  conversationId: string
  /** The service whose pages show what a terminal cannot. */
  url: string
  output: NodeJS.WritableStream
  paint: Paint
  spinner: Spinner
  write(text: string): void
}

export const createTurns = ({ client, conversationId, url, output, paint, spinner, write }: Turns) => {
  const showSteps = () => {
    let last = Date.now()
    return (step: Step) => {
      if (step.type === 'transaction') return
      spinner.stop()
      const took = paint.isTTY ? `  ${((Date.now() - last) / 1000).toFixed(1)} s` : ''
      last = Date.now()
      const words = paint.plain(step.words.split('\n')[0] ?? '')
      write(paint.dim(`  · ${paint.isTTY ? shorten(words) : words}${took}`))
      spinner.start('working')
    }
  }

  const showReply = async (reply: Reply) => {
    const content = hidePictures(reply.content)
    write(`${paint.bold('butler>')} ${paint.isTTY ? decorate(paint, paint.plain(content)) : content}`)
    if (content !== reply.content) write(paint.dim(`See the picture at ${url}/app/runs/${reply.run_id}`))
    const table = paint.isTTY ? await tableOf(client, reply) : undefined
    if (table) output.write(`\n${table}\n`)
  }
  const showFault = (reason: string) => write(`${paint.bold('butler>')} ${paint.warn(`I could not: ${paint.plain(reason)}`)}`)

  return async (text: string): Promise<void> => {
    spinner.start('thinking')
    const reply = await say(client, { text, conversationId }, showSteps()).catch((error: Error) => error)
    spinner.stop()
    if (reply instanceof Error) return showFault(reply.message)
    if (reply.error) return showFault(reply.error)
    await showReply(reply)
  }
}

/** Highlights prices and refunds, and shortens ids. */
const decorate = (paint: Paint, content: string): string =>
  shorten(content)
    .replace(/\d+(?:\.\d+)? USDC/g, amount => paint.bold(amount))
    .replace(/^It passed its checks\./m, words => paint.good(words))
    .replace(/are back in your wallet\./, words => paint.warn(words))

/** Returns a delivered list as a table, to be printed below the answer. */
const tableOf = async (client: Client, { run_id }: Reply): Promise<string | undefined> => {
  const run = delivered.safeParse(await client.get(`/runs/${run_id}`).catch(() => undefined))
  return run.data?.job && toTable(run.data.job.deliverable)
}
