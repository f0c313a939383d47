import { z } from 'zod'
import type { Json, JsonObject } from '../../domain/json.ts'
import { json, jsonObject, sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { checkValue } from '../../domain/schemas/schema.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { chooseOffer, type PaidRequest, schemeIn, type Till } from '../../domain/x402/purchase.ts'
import { toUnspoken } from '../../domain/x402/unpayable.ts'
import type { Listed } from './ports.ts'

const input = z.looseObject({
  method: z.string().max(10).optional(),
  body: json.optional(),
  queryParams: jsonObject.optional(),
})
const described = z.looseObject({
  info: z.looseObject({ input: input.optional().catch(undefined) }).optional(),
  schema: jsonObject.optional().catch(undefined),
})
/** A resource in a catalogue, in version 1 or 2 of x402. */
const item = z.looseObject({
  resource: z.union([z.string(), z.looseObject({ url: z.string() }).transform(it => it.url)]),
  type: z.string().default('http'),
  x402Version: z.union([z.literal(1), z.literal(2)]).catch(2),
  accepts: z.array(z.unknown()).max(50),
  description: z.string().optional().catch(undefined),
  extensions: z
    .looseObject({ bazaar: described.optional().catch(undefined) })
    .nullish()
    .catch(undefined),
})
const ofVersion1 = z.looseObject({
  description: z.string().optional().catch(undefined),
  outputSchema: z
    .looseObject({ input: input.optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

const [urlChars, nameChars, descriptionChars, inputChars] = [2_048, 80, 1_000, 16_000]

type Reading = { tills: Till[]; allowsPrivate: boolean }

/**
 * Reads a resource of a catalogue. Its texts are a stranger's. Undefined where it is none that could be called; a `refusal` names
 * what is not spoken here.
 */
export const toListed = (value: unknown, { tills, allowsPrivate }: Reading): Listed | undefined => {
  const { data } = item.safeParse(value)
  const url = data && data.type === 'http' ? toAddress(data.resource, allowsPrivate) : undefined
  if (!data || !url) return undefined
  const [first] = z.array(ofVersion1.catch({})).catch([]).parse(data.accepts)
  const description = toQuotable(data.description ?? first?.description ?? '', descriptionChars)
  const call = toCall(data.extensions?.bazaar?.info?.input ?? first?.outputSchema?.input, data.extensions?.bazaar?.schema)
  const { x402Version, accepts } = data
  const answer = { header: undefined, challenge: undefined, body: JSON.stringify({ x402Version, accepts }) }
  const offers = tills.flatMap(till => {
    const offer = chooseOffer(answer, till)
    return typeof offer === 'string' ? [] : [{ ...offer, chainId: till.chainId }]
  })
  const [offer] = offers
  return {
    ...{ url: url.href, target: toTarget({ url: url.href, method: call.method }), host: url.host, ...call },
    ...{ name: toQuotable(description, nameChars) || `${url.host}${url.pathname}`.slice(0, nameChars), description },
    refusal: call.refusal || (offer ? '' : toUnspoken(data.accepts, tills)),
    ...{ chainId: offer?.chainId ?? 0, asset: offer?.asset, payTo: offer?.payTo, amount: offer?.amount ?? 0n },
    scheme: offer ? schemeIn(offer) : 'exact',
  }
}

const toAddress = (text: string, allowsPrivate: boolean): URL | undefined => {
  if (text.length > urlChars) return undefined
  try {
    return checkEndpoint(text, { allowsPrivate, member: 'resource' })
  } catch {
    return undefined
  }
}

/** Identifies what a request calls, whatever its query. */
export const toTarget = ({ url, method }: Pick<PaidRequest, 'url' | 'method'>): string => {
  const { origin, pathname } = new URL(url)
  return sha256(`${method} ${origin}${pathname}`)
}

type Call = Pick<Listed, 'method' | 'example' | 'requirement' | 'refusal'>

/** How a resource is called, with the example of its listing. An example that breaks its own schema is no example. */
const toCall = (of: z.infer<typeof input> | undefined, schema: JsonObject | undefined): Call => {
  const method = (of?.method ?? 'GET').toUpperCase()
  if (method !== 'GET' && method !== 'POST')
    return { method: 'GET', example: undefined, requirement: {}, refusal: `method ${toQuotable(method, 10)}` }
  const given = (method === 'POST' ? of?.body : of?.queryParams) ?? undefined
  const requirement = toRequirement(schema, method === 'POST' ? 'body' : 'queryParams')
  if (!requirement) return { method, example: undefined, requirement: {}, refusal: 'its schema is not valid' }
  const fits = given !== undefined && JSON.stringify(given).length <= inputChars && isValid(requirement, given)
  if (given !== undefined && !fits) return { method, example: undefined, requirement, refusal: 'its example breaks its schema' }
  return { method, example: given, requirement, refusal: method === 'POST' && !fits ? 'a POST without an example' : '' }
}

const inputSchema = z.looseObject({
  properties: z.looseObject({ input: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
})

const toRequirement = (schema: JsonObject | undefined, member: string): JsonObject | undefined => {
  const own = inputSchema.safeParse(schema).data?.properties.input.properties[member]
  if (own === undefined) return {}
  const { data } = jsonObject.safeParse(own)
  return data && JSON.stringify(data).length <= inputChars ? data : undefined
}

const isValid = (schema: JsonObject, value: Json): boolean => {
  try {
    return checkValue(schema, value).pass
  } catch {
    return false
  }
}

/** The request that checks a listing: its own example, and nothing else. */
export const toProbe = ({ url, method, example }: Pick<Listed, 'url' | 'method' | 'example'>): PaidRequest => {
  if (method === 'POST') return { url, method, body: JSON.stringify(example) }
  const probed = new URL(url)
  const params = jsonObject.safeParse(example).data ?? {}
  for (const [name, it] of Object.entries(params)) probed.searchParams.set(name, typeof it === 'string' ? it : JSON.stringify(it))
  return { url: probed.href.slice(0, limits.messageChars), method, body: undefined }
}
