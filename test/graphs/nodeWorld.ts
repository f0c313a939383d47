import { expect } from 'vitest'
import type { ButlerState, Update } from '../../graphs/butler/state.ts'
import { offering } from '../store/rows.ts'
import { openWorld } from '../world.ts'

export type Node = (state: ButlerState) => Update | Promise<Update>

const talk = { type: 'object', required: ['talk'], properties: { talk: { type: 'string', description: 'The talk' } } }
const notes = { type: 'object', required: ['notes'], properties: { notes: { type: 'string' } } }

const tables = 'run run_event run_input job mandate_drawing intent chain_transaction posting ledger_entry outbox message'.split(
  ' ',
)

/** A world with a user who has money and an agent with two offerings: notes, and minutes, which require a talk as input. */
export const openNodeWorld = async () => {
  const world = await openWorld()
  const offerings = [offering({ requirement: {}, deliverable: notes }), offering({ id: 'minutes', requirement: talk })]
  const agent = await world.agent('scribe', offerings)
  world.fund(world.userWallet, 100_000_000n)

  /** All rows of the tables that nodes write to. */
  const rows = async () =>
    Object.fromEntries(await Promise.all(tables.map(async it => [it, await world.store.db.sql(`select * from ${it}`)])))

  return {
    ...world,
    rows,
    agent,
    notes: { agentId: agent.id, offeringId: 'notes', coverage: 1 },
    minutes: { agentId: agent.id, offeringId: 'minutes', coverage: 1 },

    /** Runs a node twice from the same state, like after a crash between its effects and its checkpoint. */
    async twice(node: Node, state: ButlerState): Promise<Update> {
      const update = await node(state)
      const after = await rows()
      expect(await node(state)).toEqual(update)
      expect(await rows()).toEqual(after)
      // The update must survive serialization in a checkpoint.
      const held = Object.entries(update).filter(([, it]) => it !== undefined)
      expect(JSON.parse(JSON.stringify(update))).toEqual(Object.fromEntries(held))
      return update
    },

    events: async () => (await world.store.runEvents('run-1', 0, 100)).map(it => it.kind),
  }
}
export type NodeWorld = Awaited<ReturnType<typeof openNodeWorld>>
