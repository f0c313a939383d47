import { z } from 'zod'
import { anyChainId } from '../../domain/chains/chains.ts'
import { limits } from '../../domain/limits.ts'
import { runRecord } from '../../records/run.ts'
import { givenFiles, withGivenFiles } from '../files/filesOfMessage.ts'
import { toRequestKey } from '../once.ts'
import { operation, userOf } from '../operation.ts'
import { awaitRun } from '../runs/awaitRun.ts'
import { readRunRecord } from '../runs/runRecord.ts'
import { acceptMessage } from './acceptMessage.ts'

/** Time in ms within which the butler usually proposes a hire. A language model may take longer. */
const proposeWaitMs = 30_000

export const proposeHire = operation({
  name: 'proposeHire',
  summary:
    'Ask the butler for a proposal: what an agent would do, for how much, by when. ' +
    'Nothing is hired or paid, unless a mandate of the user covers it. ' +
    'When it asks back, call again with the same conversation_id and the answer.',
  scope: 'hire',
  input: z.object({
    task: z.string().min(1).max(limits.messageChars).describe("The task in the user's words, with all inputs"),
    files: givenFiles,
    conversation_id: z.string().max(200).optional().describe('Continues a result'),
    chain_id: anyChainId,
  }),
  output: runRecord,

  async run({ task, files, conversation_id, chain_id }, deps, caller) {
    caller.charge?.(limits.messageWorkMs)
    const conversationId = conversation_id ?? deps.ids.fresh('conversation')
    const request = toRequestKey('proposeHire', { task, files, conversation_id, chain_id }, caller)
    const text = await withGivenFiles(deps, { text: task, files }, caller)
    const said = { user: userOf(caller), conversationId, chainId: chain_id, text, asksOnly: true, request }
    const { runId } = await acceptMessage(deps, said)
    const run = await awaitRun(deps, runId, { deadline: deps.clock.now() + proposeWaitMs, caller })
    return readRunRecord(deps, run)
  },
})
