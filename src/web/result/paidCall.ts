import { isObject } from '../../domain/objects.ts'
import type { Purchase } from '../client/purchase.ts'
import { useLoaded, useService } from '../client/reach.ts'
import type { Agent } from '../client/shapes.ts'

/** The deliverable in the answer of a marketplace's paid call; undefined in any other answer. */
const deliverableIn = (content: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(content)
    const isPaidCall = isObject(value) && typeof value.payment_id === 'string' && typeof value.content === 'string'
    return isPaidCall && typeof value.content === 'string' ? value.content : undefined
  } catch {
    return undefined
  }
}

const address = /^\/x402\/agents\/(?<handle>[^/]+)(?:\/offerings\/(?<offering>[^/]+))?/

/**
 * Reads the answer of a purchase as a paid call: its deliverable, and who made it where it is an agent of this marketplace.
 * @returns `deliverable` is undefined when the answer is no paid call
 */
export const usePaidCall = ({ url, content }: Purchase) => {
  const deliverable = deliverableIn(content)
  const at = URL.canParse(url) ? new URL(url) : undefined
  const { handle, offering = '' } = address.exec(at?.pathname ?? '')?.groups ?? {}
  const isOurs = deliverable !== undefined && handle !== undefined && at?.origin === location.origin
  const agent = useLoaded<Agent>(isOurs ? `/agents/handle/${handle}` : undefined).value
  const main = useService(agent?.agent_id ?? '', agent ? decodeURIComponent(offering) : '')?.main
  return { deliverable, from: agent?.name ?? (deliverable === undefined ? undefined : handle), agentId: agent?.agent_id, main }
}
