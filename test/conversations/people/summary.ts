import type { HeldTurn } from './hold.ts'

const firstKinds = ['task', 'vague', 'typo', 'long', 'budget', 'deadline', 'two', 'schemaless']
const hires = ['proposal', 'ask', 'choices', 'hired']
const sins = ['lie', 'unasked', 'crash', 'raw'] as const

const countRight = (turns: HeldTurn[]) => turns.filter(it => it.faults.length === 0).length
const hasFault = ({ faults }: HeldTurn, pattern: RegExp) => faults.some(it => pattern.test(it))

/** The figures of the conversations: the share of turns as expected, by kind, and the outcomes of the first turns. */
export const summarise = (turns: HeldTurn[]) => {
  const kinds = [...new Set(turns.map(it => it.kind))].sort()
  const firsts = turns.filter(it => it.wantsAgent && firstKinds.includes(it.kind))
  const isHire = ({ heard }: HeldTurn) => hires.includes(heard.outcome)
  const isAgent = (it: HeldTurn) => isHire(it) && !hasFault(it, /^agents:/)
  return {
    turns: turns.length,
    right: countRight(turns),
    share: Number((countRight(turns) / Math.max(1, turns.length)).toFixed(3)),
    by_kind: Object.fromEntries(
      kinds.map(kind => {
        const of = turns.filter(it => it.kind === kind)
        return [kind, { turns: of.length, right: countRight(of) }]
      }),
    ),
    first_turn: {
      n: firsts.length,
      agent_right: firsts.filter(isAgent).length,
      input_right: firsts.filter(it => isAgent(it) && !hasFault(it, /^(?:outcome|input|fields)/)).length,
      wrong_agent: firsts.filter(it => isHire(it) && !isAgent(it)).length,
      refused_though_there: firsts.filter(it => !isHire(it)).length,
    },
    ...Object.fromEntries(sins.map(sin => [sin, turns.filter(it => hasFault(it, new RegExp(`^${sin}:`))).length])),
  }
}
