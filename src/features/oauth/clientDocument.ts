import { z } from 'zod'
import { minuteMs, secondMs } from '../../domain/durations.ts'
import { parseJson } from '../../domain/json.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { asProblem } from '../../domain/problem.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { createBounded } from '../../operations/gateway/bounded.ts'
import type { Deps } from '../../operations/operation.ts'
import { createTurns } from '../../operations/turns.ts'
import { isAllowedRedirect } from './clients.ts'
import type { Client } from './ports.ts'
import { Refusal } from './refusal.ts'

const nameChars = 60
const mostRedirects = 20
const idChars = 300
const documentChars = 20_000
const fetchMs = 5 * secondMs
const keptMs = 10 * minuteMs
const mostKept = 500

const document = z.object({
  client_id: z.string(),
  client_name: z.string().default(''),
  redirect_uris: z.array(z.string()).min(1).max(mostRedirects),
})

/**
 * Documents by address. A stranger names any address, so few are fetched at once, and few are kept. Each network address has a
 * line of its own, so that nobody fills all places with slow documents.
 */
const known = createBounded<{ client: Client; until: number }>(mostKept)
const turnsOfSource = createTurns({ atOnce: 2, waiting: 50 })
const turnsOfAll = createTurns({ atOnce: 32, waiting: 50 })

/**
 * Reads a program from its metadata document (OAuth Client ID Metadata Document): its id is the https address of the document.
 * @throws Refusal invalid_client
 */
export const readDocument = async (id: string, deps: Deps, source = 'this machine'): Promise<Client> => {
  const { clock, resources, settings } = deps
  const kept = known.get(id)
  if (kept && kept.until > clock.now()) return kept.client
  const url = new URL(id)
  const isSafe = url.protocol === 'https:' || settings.allowsPrivate
  if (id.length > idChars || !isSafe || url.pathname === '/' || url.hash !== '' || url.username !== '')
    throw new Refusal('invalid_client', 'A client_id that is an address must be https, with a path.')
  const signal = AbortSignal.timeout(fetchMs)
  const inTurn = (work: () => Promise<Client>) => turnsOfSource.take(source, signal, () => turnsOfAll.take('all', signal, work))
  const client = await inTurn(async () => {
    try {
      const { href } = checkEndpoint(id, { allowsPrivate: settings.allowsPrivate, member: 'client_id' })
      const request = { url: href, method: 'GET' as const, body: undefined }
      return toClient(id, await resources.ask(request, signal))
    } catch (error) {
      throw new Refusal('invalid_client', `Its metadata document cannot be read: ${asProblem(error).detail}`)
    }
  })
  known.set(id, { client, until: clock.now() + keptMs })
  return client
}

const toClient = (id: string, { status, body }: { status: number; body: string }): Client => {
  const { data } = status === 200 && body.length <= documentChars ? document.safeParse(parseJson(body)) : { data: undefined }
  if (!data || data.client_id !== id || !data.redirect_uris.every(isAllowedRedirect))
    throw new Refusal('invalid_client', 'Its metadata document is missing, names another client_id, or has unsafe redirect_uris.')
  return { id, name: toQuotable(data.client_name, nameChars), redirectUris: data.redirect_uris }
}
