import { interrupt } from '@langchain/langgraph'
import { z } from 'zod'
import { limits } from '../../../src/domain/limits.ts'
import { tooLong } from '../phrases.ts'
import type { ButlerState, Update } from '../state.ts'

const reply = z.object({ decision: z.enum(['yes', 'no', 'change', 'lapsed']), digest: z.string(), text: z.string() })

const lapsed = 'The proposal before was no longer open, so your yes hired nothing.'
const declined = 'All right. Nothing was hired and nothing was paid.'

/** Stops until the user has answered the proposal. A yes for other terms than these is a change, not a yes. */
export const consent = ({ said, pick, proposal, target, ordered }: ButlerState): Update => {
  // To call an agent that costs nothing is to want it.
  if (target && proposal?.total === '0') return { decision: 'yes', notice: '' }
  // What covers it is decided again, by the write that opens the job.
  if (ordered || proposal?.mandate?.covers) return { decision: 'yes', notice: '' }
  const answer = interrupt<unknown, z.infer<typeof reply>>({ kind: 'proposal', proposal }, { responseSchema: reply })
  const decision = answer.decision === 'yes' && answer.digest !== proposal?.digest ? 'lapsed' : answer.decision
  if (decision === 'change' && said.length >= limits.turns) return { decision: 'no', answer: tooLong }
  if (decision === 'change')
    return { decision, asked: true, said: [...said, answer.text], before: pick, voided: proposal?.digest ?? '', notice: '' }
  if (decision === 'no') return { decision, answer: declined }
  return { decision, asked: true, notice: decision === 'lapsed' ? lapsed : '' }
}
