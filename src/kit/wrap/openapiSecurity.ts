import { z } from 'zod'
import { isObject, type JsonObject } from '../../domain/json.ts'

export type Credentials = { root: JsonObject; env: Record<string, string> }

const scheme = z.discriminatedUnion('type', [
  z.object({ type: z.literal('apiKey'), in: z.enum(['query', 'header', 'cookie']), name: z.string() }),
  z.object({ type: z.literal('http'), scheme: z.string() }),
  z.object({ type: z.literal('oauth2') }),
  z.object({ type: z.literal('openIdConnect') }),
])

type Requirements = Record<string, string[]>[]

/** Returns the name of the variable with a security scheme's credential: `API_` and the scheme's name in capitals. */
export const variableOf = (name: string): string => `API_${name.replace(/\W+/g, '_').toUpperCase()}`

/** Returns the first security requirement whose credentials are all available; undefined when there is none. */
const chosen = (security: Requirements, { env }: Credentials): string[] | undefined =>
  security.length === 0 ? [] : security.map(it => Object.keys(it)).find(names => names.every(name => env[variableOf(name)]))

/** Returns the variables that an operation lacks; undefined when it lacks none. */
export const missingCredentials = (security: Requirements, credentials: Credentials): string | undefined => {
  if (chosen(security, credentials)) return undefined
  return Object.keys(security[0] ?? {})
    .map(variableOf)
    .join(' and ')
}

/** Adds the credentials to a request. @throws Error for an unsupported security scheme */
export const applyCredentials = (
  security: Requirements,
  at: Credentials,
  { url, headers }: { url: URL; headers: Headers },
): void => {
  for (const name of chosen(security, at) ?? []) {
    const value = at.env[variableOf(name)] ?? ''
    const it = scheme.safeParse(schemeNamed(name, at.root)).data
    if (!it) throw new Error(`The security scheme ${name} is not supported.`)
    if (it.type !== 'apiKey') {
      headers.set('authorization', toAuthorization(it, value))
      continue
    }
    if (it.in === 'query') url.searchParams.set(it.name, value)
    if (it.in === 'cookie') headers.append('cookie', `${it.name}=${value}`)
    if (it.in === 'header') headers.set(it.name, value)
  }
}

/** Whether a parameter is where a security scheme of the document puts its credential. */
export const isCredential = (one: { name: string; in: string }, root: JsonObject): boolean => {
  const components = isObject(root.components) ? root.components : {}
  const schemes = isObject(components.securitySchemes) ? Object.values(components.securitySchemes) : []
  return schemes.some(raw => {
    const it = scheme.safeParse(raw).data
    return it?.type === 'apiKey' && it.in === one.in && it.name.toLowerCase() === one.name.toLowerCase()
  })
}

/** A basic credential has the form `user:password`. */
const toAuthorization = (it: z.infer<typeof scheme>, value: string): string => {
  const isBasic = it.type === 'http' && it.scheme.toLowerCase() === 'basic'
  return isBasic ? `Basic ${Buffer.from(value).toString('base64')}` : `Bearer ${value}`
}

const schemeNamed = (name: string, root: JsonObject): unknown => {
  const components = isObject(root.components) ? root.components : {}
  return isObject(components.securitySchemes) ? components.securitySchemes[name] : undefined
}
