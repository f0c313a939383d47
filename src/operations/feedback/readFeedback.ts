import { z } from 'zod'
import { jsonObject } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { operation } from '../operation.ts'

/** Public, because the registry names this URL. The file contains no more than the chain. */
export const readFeedback = operation({
  name: 'readFeedback',
  summary: 'The feedback file of an entry in the ERC-8004 reputation registry, with its proof of payment.',
  caller: 'anyone',
  input: z.object({ job_id: z.string().max(100) }),
  output: jsonObject,

  async run({ job_id }, { store }) {
    const file = await store.feedback(job_id)
    if (!file) throw new Problem('job-not-found')
    return jsonObject.parse(JSON.parse(file))
  },
})
