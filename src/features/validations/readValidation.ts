import { z } from 'zod'
import { jsonObject } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { operation } from '../../operations/operation.ts'
import { validationsOf } from './ports.ts'

/** Public, because the registry names this URL. */
export const readValidation = operation({
  name: 'readValidation',
  summary: 'The request file of an entry in the ERC-8004 validation registry: what was judged, by its hashes.',
  caller: 'anyone',
  input: z.object({ job_id: z.string().max(100) }),
  output: jsonObject,

  async run({ job_id }, { store }) {
    const validation = await validationsOf(store).validation(job_id)
    if (!validation) throw new Problem('job-not-found')
    return jsonObject.parse(JSON.parse(validation.file))
  },
})
