import { z } from 'zod'
import { isObject, type JsonObject } from '../json.ts'
import { checkEndpoint } from './publicAddress.ts'

/** An address that the owner named in the registration (ERC-8004, `services`; `endpoints` in earlier files). */
export type OwnService = { name: string; endpoint: string; version?: string }

const most = 20
const service = z.object({
  name: z.string().min(1).max(40),
  endpoint: z.string().min(1).max(2_000),
  version: z.string().max(40).optional().catch(undefined),
})
/** Names of people and accounts, which are no addresses of this network. */
const naming = new Set(['ens', 'did', 'email'])
/** Addresses that a kit writes for every agent. Those of an agent that polls cannot be reached. */
const reachedByPush = new Set(['a2a', 'web'])

type Registered = { card: JsonObject; endpointUrl: string | undefined; viaGateway: boolean }

/** The services that an agent has of its own, by the words of its owner. Addresses that nobody may call are left out. */
export const ownServicesOf = (
  { card, endpointUrl, viaGateway }: Registered,
  { allowsPrivate }: { allowsPrivate: boolean },
): OwnService[] => {
  const inside = isObject(card.card) ? card.card : {}
  const lists = [card.services, inside.services, card.endpoints, inside.endpoints].flatMap(it => (Array.isArray(it) ? it : []))
  const named = lists.flatMap(it => service.safeParse(it).data ?? [])
  const isPolling = endpointUrl === undefined || viaGateway
  const own = named.filter(({ name, endpoint }) => {
    const kind = name.toLowerCase()
    if (isPolling && reachedByPush.has(kind)) return false
    return naming.has(kind) ? !/\s/.test(endpoint) : isCallable(endpoint, allowsPrivate)
  })
  const byAddress = new Map(own.map(it => [JSON.stringify([it.name, it.endpoint]), it]))
  return [...byAddress.values()].slice(0, most).map(({ version, ...it }) => ({ ...it, ...(version && { version }) }))
}

const isCallable = (endpoint: string, allowsPrivate: boolean): boolean => {
  try {
    return checkEndpoint(endpoint, { allowsPrivate }).protocol.startsWith('http')
  } catch {
    return false
  }
}
