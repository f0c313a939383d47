import { z } from 'zod'
import { get, post } from '../http/wire.ts'
import { type Host, task, toRun } from './clients.ts'

const proposed = z.object({
  proposal: z.object({ digest: z.string() }).optional(),
  purchase: z.object({ digest: z.string() }).optional(),
})

/** Splits an approve_url into what the page sends to the service. */
export const toAsked = (approveUrl: string) => {
  const { origin, pathname, searchParams } = new URL(approveUrl)
  return { origin, run: pathname.split('/').at(-1) ?? '', code: searchParams.get('code') ?? '', isDemo: searchParams.has('demo') }
}

/**
 * Answers a proposal as its user does on the page at an approve_url.
 * @param token of the user's browser; without one the page signs in as the demo user of the local world
 */
export const answerAt = async (approveUrl: string, decision: 'yes' | 'no', token?: string): Promise<void> => {
  const { origin, run, code } = toAsked(approveUrl)
  const path = `/v1/hires/${run}`
  const demo = async () =>
    z.object({ token: z.string() }).parse((await post(origin, `${path}/approval/demo`, { code })).json).token
  const as = token ?? (await demo())
  const opened = await get(origin, `${path}/approval?code=${code}`, as)
  if (opened.status !== 200) throw new Error(`The page shows ${opened.status}: ${opened.text}`)
  const { proposal, purchase } = proposed.parse((await get(origin, `/runs/${run}`, as)).json)
  const digest = (proposal ?? purchase)?.digest
  const answered = await post(origin, `${path}/confirm`, { digest, decision, wait_ms: 0 }, as)
  if (answered.status !== 200) throw new Error(`The page got ${answered.status}: ${answered.text}`)
}

/** Lets the model of a host wait for the yes of its user, who gives it on the page. */
export const confirmWithPerson = async (host: Host, told: ReturnType<typeof toRun>, token?: string) => {
  const terms = told.proposal ?? told.purchase
  const waiting = host.call('confirm_hire', { run_id: told.run_id, digest: terms?.digest ?? '', decision: 'yes' })
  await answerAt(told.approve_url ?? '', 'yes', token)
  return toRun(await waiting)
}

const found = z.object({ offerings: z.array(z.object({ agent_handle: z.string(), price: z.string() }).loose()) })

/**
 * Hires like the model of a host whose user says yes on the page, from the search to the settled run.
 * @param token of the user's browser; without one the page signs in as the demo user
 */
export const hire = async (host: Host, token?: string) => {
  const { offerings } = found.parse((await host.call('search_offerings', { query: task })).structuredContent)
  const proposed = toRun(await host.call('propose_hire', { task }))
  const confirmed = await confirmWithPerson(host, proposed, token)
  const looked = toRun(await host.call('get_run', { run_id: proposed.run_id }))
  return { offerings, proposed, confirmed, looked }
}
