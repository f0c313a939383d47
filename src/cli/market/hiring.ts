import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { minuteMs } from '../../domain/durations.ts'
import { jsonObject } from '../../domain/json.ts'
import { maxDecimals, parseUsdc, toCost } from '../../domain/money/money.ts'
import { offeringHit } from '../../records/agent.ts'
import { runEventRecord, runRecord } from '../../records/run.ts'
import { Refused } from '../client.ts'
import { ownCommandWith } from '../ownCommand.ts'
import { hidePictures } from '../paint.ts'
import { ownerOf } from './account.ts'
import { type Context, type Done, type Host, onChain, runs, toQuery, withChain } from './command.ts'
import { addExportCommand } from './exporting.ts'
import { addDownload, addUpload, upload } from './files.ts'
import { filesOf, isSuccess, payments, type ShownRun, shownRun, toHireResult } from './hireResult.ts'
import { addReceiptCommands } from './receipts.ts'

const hit = offeringHit.pick({ agent_handle: true, offering_id: true, name: true, price: true, charged: true }).catchall(z.json())
const hits = z.object({ offerings: z.array(hit) })
const events = z.array(runEventRecord.pick({ seq: true, summary_text: true }).extend({ type: z.string() }))
const listed = z.object({ runs: z.array(shownRun.extend({ task: runRecord.shape.task })) })

const pollMs = 500
/** How long a command waits for a service that is away, in ms. A restart takes less. */
const patienceMs = 2 * minuteMs

type Adds = (program: Command, host: Host) => void

const addSearch: Adds = (program, host) => {
  runs(withChain(program.command('search').argument('<words...>').description('search the offerings of all agents')), host, {
    example: 'market search translate a text',
    run: async ({ client, say }, options, words: string[]) => {
      const asked = toQuery({ query: words.join(' '), ...onChain(options) })
      const { offerings } = hits.parse(await client.get(`/offerings/search?${asked}`))
      for (const it of offerings) {
        const charged = it.charged === undefined ? '' : `  (at most; ${it.charged})`
        say(`${it.price.padStart(8)} USDC  ${it.agent_handle}/${it.offering_id}  ${it.name}${charged}`)
      }
      if (offerings.length === 0) say('Nothing fits.')
      return { result: { offerings } }
    },
  })
}

const addHire: Adds = (program, host) => {
  const hireCommand = program
    .command('hire')
    .argument('<words...>', 'the task, with all its inputs')
    .description('get a proposal for a task, a plan for several or a paid address, and pay after your yes')
    .option('--yes', 'pay without asking, up to --max')
    .option('--max <usdc>', 'the most that --yes may pay, in USDC')
    .option('--file <path>', 'upload a file for the task; member=path names its place in the input', collect, [])
  runs(withChain(hireCommand), host, { example: 'market hire "What time is it in Tokyo?" --yes --max 0.10', run: hire })
}

const addRuns: Adds = (program, host) => {
  runs(program.command('runs').description('list your runs, newest first'), host, {
    example: 'market runs',
    run: async ({ client, settings, say }) => {
      const found = await client.get(`/users/${ownerOf(settings.token ?? '') || 'me'}/runs?limit=20`)
      const { runs } = listed.parse(found)
      for (const it of runs) say(`${it.run_id}  ${(it.job?.state ?? it.state).padEnd(22)}  ${it.task.slice(0, 80)}`)
      return { result: { runs: z.array(jsonObject).parse(runs) } }
    },
  })
}

const addRun: Adds = (program, host) => {
  const runCommand = program
    .command('run')
    .argument('<id>')
    .description('show a run')
    .option('--follow', 'show what happens until it ends', false)
  const run = runs(runCommand, host, {
    example: 'market run run_1a2b --follow',
    run: async ({ client, say, settings }, { follow }, id: string) => {
      const last = await printEvents({ client, say }, id, follow === true)
      await tell({ client, say, settings }, last)
      return { result: await toHireResult(client, last) }
    },
  })
  addExportCommand(run, host)
}

const addCancel: Adds = (program, host) => {
  runs(program.command('cancel').argument('<id>').description('cancel a job that its agent has not picked up'), host, {
    example: 'market cancel run_1a2b',
    run: async ({ client, say }, _options, id: string) => {
      const run = shownRun.parse(await client.post(`/v1/hires/${encodeURIComponent(id)}/cancel`, {}))
      say(run.content)
      return { result: await toHireResult(client, run) }
    },
  })
}

const addReceipt: Adds = (program, host) => {
  const receipt = program.command('receipt').argument('<id>').description('show the payments of a run with their transactions')
  runs(receipt, host, {
    example: 'market receipt run_1a2b',
    run: async ({ client, say }, _options, id: string) => {
      const found = payments.parse(await client.get(`/runs/${encodeURIComponent(id)}/payments`))
      for (const it of found) say(`${it.type.padEnd(8)} ${it.amount.padStart(8)} USDC  ${it.transaction}`)
      return { result: { run_id: id, payments: found } }
    },
  })
  addReceiptCommands(receipt, host)
}

const addAppeal: Adds = (program, host) => {
  const appealCommand = program
    .command('appeal')
    .argument('<id>')
    .argument('<words...>', 'what was wrong')
    .description('appeal against a deliverable')
  runs(appealCommand, host, {
    example: 'market appeal run_1a2b "It is not a translation."',
    run: async ({ client, say }, _options, ...[id, words]: [string, string[]]) => {
      const said = jsonObject.parse(await client.post(`/runs/${encodeURIComponent(id)}/appeal`, { reason: words.join(' ') }))
      say('Recorded. It counts against the agent; the payment stays.')
      return { result: said }
    },
  })
}

export const addHiringCommands: Adds = (program, host) => {
  for (const add of commands) add(program, host)
}

const commands = [addSearch, addUpload, addDownload, addHire, addRuns, addRun, addCancel, addReceipt, addAppeal]

const hire = async (
  context: Context,
  { yes, max, file, ...options }: Record<string, unknown>,
  words: string[],
): Promise<Done> => {
  const { client } = context
  if (yes && typeof max !== 'string') throw new Error('--yes needs --max, the most USDC that it may pay.')
  const given = z.array(z.string()).default([]).parse(file)
  const files = await uploadAll(context, given)
  const task = [...words, ...files].join(' ')
  const proposed = shownRun.parse(await client.post('/v1/hires', { task, ...onChain(options) }))
  await tell(context, proposed)
  const { proposal, purchase, plan, run_id } = proposed
  const terms = proposal ?? purchase ?? (plan?.state === 'proposed' ? plan : undefined)
  // Without a proposal, the butler has a question, found nothing, or already hired or paid under a mandate.
  if (!terms) {
    if (proposed.state === 'awaiting-input' || proposed.state === 'awaiting-choice') context.say(toReply(context, proposed))
    return ended(context, proposed)
  }
  const cost = toCost(terms.total, proposal?.usage !== undefined || purchase?.scheme !== undefined)
  if (typeof max === 'string' && isAbove(terms.total, max)) throw new Error(`It costs ${cost} USDC, and --max is ${max}.`)
  const names = given.map(it => basename(it.replace(/^\w+=/, '')))
  const unsent = names.filter(it => proposal?.left_out.includes(it))
  if (yes && unsent.length > 0) throw new Error(`Nothing was hired: the agent would not get ${unsent.join(', ')}.`)
  const agreed = yes
    ? true
    : await context.confirm(
        plan
          ? `Pay at most ${terms.total} USDC for ${plan.steps.length} steps?`
          : `Pay ${proposal?.usage ? 'at most ' : purchase?.scheme ? 'up to ' : ''}${terms.total} USDC?`,
      )
  if (agreed === undefined)
    throw new Error(`Nothing was ${purchase ? 'paid' : 'hired'}. Say yes with --yes --max <USDC>, or run this in a terminal.`)
  const decision = agreed ? 'yes' : 'no'
  const body = { digest: terms.digest, decision, wait_ms: 0 }
  // The same answer again changes nothing, so a lost one is sent again.
  const answer = await patiently(context, run_id, () => client.post(`/v1/hires/${run_id}/confirm`, body))
  return ended(context, shownRun.parse(answer))
}

/** Where a question of the butler is answered. */
const toReply = ({ settings }: Context, { run_id, conversation_id }: ShownRun): string =>
  `Answer at ${settings.url}/app/runs/${run_id} or with: ${ownCommandWith('chat', `--resume ${conversation_id}`)}`

/** Prints what the butler says. A terminal shows no pictures, and files are named with the command that saves them. */
const tell = async ({ client, say, settings }: Pick<Context, 'client' | 'say' | 'settings'>, run: ShownRun): Promise<void> => {
  const shown = hidePictures(run.content)
  say(shown)
  if (shown !== run.content) say(`See the picture at ${settings.url}/app/runs/${run.run_id}`)
  for (const it of await filesOf(client, run)) say(`${it.name}, ${it.bytes} bytes. Save it with: market download ${it.file_id}`)
}

/** Collects the values of an option that can be given several times. */
const collect = (value: string, before: string[]): string[] => [...before, value]

/**
 * Uploads files, given as `path` or as `member=path`. @returns what names each in a task
 * @throws Refused, Error without such a file
 */
const uploadAll = (context: Context, given: string[]): Promise<string[]> =>
  Promise.all(
    given.map(async it => {
      const [, member, path = it] = /^(\w+)=(.+)$/s.exec(it) ?? []
      const { file_id } = await upload(context, path)
      return member ? JSON.stringify({ [member]: file_id }) : file_id
    }),
  )

const isAbove = (total: string, max: string): boolean => {
  const [asked, most] = [parseUsdc(total, maxDecimals), parseUsdc(max, maxDecimals)]
  if (most === undefined) throw new Error('--max must be an amount of USDC, such as 0.10.')
  return asked === undefined || asked > most
}

/** Follows a hire or purchase to its end. The command fails if there is no paid result. */
const ended = async ({ client, say, settings }: Context, run: ShownRun): Promise<Done> => {
  const last = run.job || isRunning(run) ? await printEvents({ client, say }, run.run_id, true) : run
  if (last !== run) await tell({ client, say, settings }, last)
  const result = await toHireResult(client, last)
  return { result, failed: !isSuccess(result) }
}

const isRunning = ({ state }: ShownRun) => state === 'working' || state === 'awaiting-job'

/** Asks again while the service does not answer, up to `patienceMs`. @throws Refused, Error with the next step */
const patiently = async <T>({ say }: Pick<Context, 'say'>, runId: string, ask: () => Promise<T>): Promise<T> => {
  const until = Date.now() + patienceMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof Refused && error.status < 500) throw error
      const next = `A job that was paid for goes on by itself. See it later with: market run ${runId} --follow`
      if (Date.now() > until) throw new Error(`The service does not answer. ${next}`, { cause: error })
      if (isFirst) say(`The service does not answer. I ask again for ${patienceMs / minuteMs} minutes. ${next}`)
      await sleep(pollMs)
    }
  }
}

const printEvents = async ({ client, say }: Pick<Context, 'client' | 'say'>, id: string, follows: boolean): Promise<ShownRun> => {
  const path = `/runs/${encodeURIComponent(id)}`
  for (let after = 0; ; ) {
    const read = async () => ({
      run: shownRun.parse(await client.get(path)),
      news: events.parse(await client.get(`${path}/events?after=${after}&deliverable=reference`)),
    })
    const { run, news } = follows ? await patiently({ say }, id, read) : await read()
    for (const it of news) if (it.type !== 'answer') say(`  ${it.type.padEnd(15)} ${it.summary_text.split('\n')[0]}`)
    after = news.at(-1)?.seq ?? after
    if (!follows || !isRunning(run)) return run
    await sleep(pollMs)
  }
}
