import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { parseAgentId } from './agentId.ts'

const text = z.string().catch('')
const registration = z.object({ agentId: z.union([z.number(), z.string()]).transform(String), agentRegistry: z.string() })
const naming = z.object({
  name: text,
  handle: text,
  agent_id: text,
  registrations: z.array(registration.nullable().catch(null)).catch([]),
})

type Named = { id: string; handle: string; name: string }

/**
 * Whether a card (A2A, or ERC-8004 registration file) belongs to this agent, by its name, its handle, its id, or its registry
 * entry.
 */
export const isCardOf = (card: JsonObject, { id, handle, name }: Named): boolean => {
  const said = naming.parse(card)
  const own = [id, handle, name].map(it => it.toLowerCase())
  if ([said.name, said.handle, said.agent_id].some(it => it !== '' && own.includes(it.toLowerCase()))) return true
  const parsed = parseAgentId(id)
  return (
    parsed !== undefined &&
    said.registrations.some(
      it => it?.agentId === String(parsed.number) && it.agentRegistry.toLowerCase().endsWith(`:${parsed.registry}`),
    )
  )
}
