import { z } from 'zod'
import { scopes } from '../../domain/access/scopes.ts'
import { minuteMs, secondMs } from '../../domain/durations.ts'
import { parseJson } from '../../domain/json.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { asProblem } from '../../domain/problem.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { createBounded } from '../../operations/gateway/bounded.ts'
import { accessOf, type Deps, operation } from '../../operations/operation.ts'
import { createTurns } from '../../operations/turns.ts'
import { clientRecord, oauthError } from '../../records/program.ts'
import type { Client } from './ports.ts'
import { asOauth, orRefusal, Refusal } from './refusal.ts'

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Whether an address is on the user's own machine, where a program may listen at any port (RFC 8252, section 7.3). */
const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && loopback.has(hostname)

/**
 * Whether codes may be sent to an address: https, this machine, or a scheme of the program's own, which has a dot (RFC 8252,
 * section 7.1). Addresses with a fragment or a password are refused.
 */
const isAllowedRedirect = (text: string): boolean => {
  if (!URL.canParse(text) || /[\s\\<>"]/.test(text)) return false
  const url = new URL(text)
  if (text.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isLoopback(url) || /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/.test(url.protocol)
}

const isSameRedirect = (known: string, asked: string): boolean => {
  if (known === asked) return true
  if (!isAllowedRedirect(asked)) return false
  const [one, other] = [new URL(known), new URL(asked)]
  if (!isLoopback(one) || !isLoopback(other)) return false
  return one.hostname === other.hostname && one.pathname === other.pathname && one.search === other.search
}

/** What a person is shown of a redirect address: its host, or the scheme of an installed program. */
export const toRedirectHost = (text: string): string => {
  const url = new URL(text)
  return url.host === '' ? url.protocol : url.host
}

export const withAnswer = (redirectUri: string, answer: Record<string, string | undefined>): string => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

const purpose = 'oauth-client'
const nameChars = 60
const mostRedirects = 5
const redirectChars = 300

const metadata = z.object({ n: z.string(), r: z.array(z.string()), t: z.number() })

/**
 * Registers a program (RFC 7591). The client id contains the metadata and a code that only this service can make (appendix
 * A.5.2). So nothing is stored, and strangers who register fill nothing.
 */
export const registerClient = operation({
  name: 'registerClient',
  summary: 'Register a program as an OAuth client (RFC 7591). Clients are public: they have no secret, and use PKCE.',
  caller: 'anyone',
  input: z.object({
    redirect_uris: z.array(z.string()).catch([]),
    client_name: z.string().optional().catch(undefined),
  }),
  output: z.union([clientRecord, oauthError]),
  refusal: oauthError,
  responseOf: answer => {
    const { status, headers } = asOauth(answer)
    return { status: status === 200 ? 201 : status, headers }
  },

  run: ({ redirect_uris, client_name }, deps) =>
    orRefusal(async () => {
      const isWhole = redirect_uris.length > 0 && redirect_uris.length <= mostRedirects
      if (!isWhole || !redirect_uris.every(it => it.length <= redirectChars && isAllowedRedirect(it)))
        throw new Refusal('invalid_redirect_uri', wrongRedirects)
      const name = toQuotable(client_name ?? '', nameChars)
      const issuedAt = Math.floor(deps.clock.now() / 1000)
      const text = JSON.stringify({ n: name, r: redirect_uris, t: issuedAt } satisfies z.infer<typeof metadata>)
      return {
        client_id: accessOf(deps).pack(text, purpose),
        client_id_issued_at: issuedAt,
        client_name: name,
        redirect_uris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none' as const,
        scope: scopes.join(' '),
      }
    }),
})

const wrongRedirects =
  `Give 1 to ${mostRedirects} redirect_uris of at most ${redirectChars} characters: ` +
  'https, http on this machine, or a scheme of your own with a dot.'

/**
 * The program with an id: one that was registered here, or the address of its metadata document.
 * @throws Refusal invalid_client
 */
export const readClient = async (id: string, deps: Deps, source: string | undefined): Promise<Client> => {
  if (URL.canParse(id)) return readDocument(id, deps, source)
  const packed = accessOf(deps).unpack(id, purpose)
  if (packed === undefined) throw new Refusal('invalid_client', 'This program is not known here: register it again.')
  const { n: name, r: redirectUris } = metadata.parse(parseJson(packed))
  return { id, name, redirectUris }
}

/**
 * The redirect address of a request, which must be one of the program's.
 * @throws Refusal invalid_request
 */
export const readRedirect = ({ redirectUris }: Client, asked: string | undefined): string => {
  const [only] = redirectUris
  if (asked === undefined && only !== undefined && redirectUris.length === 1) return only
  if (asked !== undefined && redirectUris.some(it => isSameRedirect(it, asked))) return asked
  throw new Refusal('invalid_request', 'The redirect_uri is not one of this program.')
}

const mostOfDocument = 20
const idChars = 300
const documentChars = 20_000
const fetchMs = 5 * secondMs
const keptMs = 10 * minuteMs
const mostKept = 500

const document = z.object({
  client_id: z.string(),
  client_name: z.string().default(''),
  redirect_uris: z.array(z.string()).min(1).max(mostOfDocument),
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
const readDocument = async (id: string, deps: Deps, source = 'this machine'): Promise<Client> => {
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
