import { basename } from 'node:path'
import { type Json, type JsonObject, json, parseJson } from '../../domain/json.ts'
import type { Asked, Source } from './source.ts'

/** A request to a paid resource. */
export type PaidRequest = { url: string; method: 'GET' | 'POST'; body?: JsonObject }

/** An account of the market that buys paid resources. Prices are USDC as decimal text. */
export type Buyer = {
  quote(request: PaidRequest): Promise<{ price: string; description: string }>
  /**
   * Buys at most once for a key, and for at most `max` USDC. The status is null when the seller gave no answer. `isWhole` is
   * false if the content is only the beginning of the answer.
   */
  buy(
    request: PaidRequest,
    of: { key: string; max: number; signal: AbortSignal },
  ): Promise<{ status: number | null; content: string; isWhole: boolean; reason: string }>
}

export type X402Options = {
  url: string
  /** Sends the input in the query of a GET instead of the JSON body of a POST. */
  isGet: boolean
  name: string | undefined
  description: string | undefined
  requirement: JsonObject
  deliverable: JsonObject
  buyer: Buyer
}

/** Opens a resource that is paid by x402. Each job of this market buys it once, from the wallet of the agent's owner. */
export const openX402 = async (options: X402Options): Promise<Source> => {
  const { url, requirement, deliverable, buyer } = options
  const quoted = await buyer.quote(toRequest(options, {}))
  const { hostname, pathname } = new URL(url)
  const name = options.name ?? (basename(pathname) || hostname)
  const description = options.description ?? (quoted.description || name)
  return {
    name,
    description,
    capabilities: [{ id: name, name, description, requirement, deliverable, cost: quoted.price }],
    call: asked => answer(options, asked),
    close: async () => undefined,
  }
}

/** Several programs as one. Each call goes to the program that has the capability. */
export const joinSources = (sources: Source[]): Source => ({
  name: sources[0]?.name ?? '',
  description: sources.map(it => it.name).join(', '),
  capabilities: sources.flatMap((source, at) => source.capabilities.map(it => ({ ...it, id: `${it.id} ${at + 1}` }))),
  async call(asked) {
    const [, id = '', at = ''] = /^(.*) (\d+)$/.exec(asked.id) ?? []
    const source = sources[Number(at) - 1]
    if (!source) throw new Error(`There is no ${asked.id}.`)
    return source.call({ ...asked, id })
  },
  close: async () => void (await Promise.all(sources.map(it => it.close()))),
})

const answer = async (options: X402Options, { input, job, signal }: Asked): Promise<Json> => {
  // A direct call without a paid job is refused, because it would cost the agent money.
  if (job?.price === undefined) throw new Error('This agent pays for its answers, so it works for paid jobs only.')
  const bought = await options.buyer.buy(toRequest(options, input), { key: job.id, max: job.price, signal })
  const { status, content, isWhole, reason } = bought
  if (status === null || status < 200 || status > 299)
    throw new Error(reason || `The resource answered ${status}: ${content.slice(0, 300)}`)
  if (!isWhole) throw new Error('The answer of the resource is longer than a deliverable may be, 256 KiB, or incomplete.')
  return json.safeParse(parseJson(content)).data ?? content
}

const toRequest = ({ url, isGet }: X402Options, input: JsonObject): PaidRequest => {
  if (!isGet) return { url, method: 'POST', body: input }
  const asked = new URL(url)
  const own = new Set([...asked.searchParams.keys()].map(toPlainName))
  for (const [name, value] of Object.entries(input)) {
    if (own.has(toPlainName(name))) throw new Error(`The address of this resource sets ${name} itself.`)
    asked.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return { url: asked.href, method: 'GET' }
}

/** A parameter's name as lenient servers read it: without case, brackets and punctuation, so that `ApiKey[]` is `apikey`. */
const toPlainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\[.*$/, '')
    .replace(/[^a-z0-9]/g, '')
