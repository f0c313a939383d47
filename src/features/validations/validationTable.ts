import { validationKeys } from '../../domain/jobs/validation.ts'
import { validationRow } from '../../ports/validations.ts'
import { intentState } from '../../store/effects/intentRows.ts'
import type { Scope } from '../../store/engine/db.ts'
import { insertion, rowOf } from '../../store/engine/rows.ts'
import type { ValidationTables } from './ports.ts'

const validations = rowOf(validationRow)
const followed = rowOf({ ...validationRow, ...intentState })

/** The keys of all responses of a validation, as SQL texts. */
const responses = validationKeys("' || v.job_id || '")
  .responses.map(key => `'${key}'`)
  .join(', ')
const following = `select v.job_id, v.agent_id, v.agent_wallet, v.request_hash, v.response, v.file, v.created_at, i.state, i.hash
  from validation v join intent i on i.seq = (select max(seq) from intent where key in (${responses}))
  where v.agent_id = $1 order by v.seq desc limit $2`

export const validationTable = ({ read, write }: Scope): ValidationTables => ({
  addValidation: validation =>
    write(async ({ sql }) => {
      const [insert, params] = insertion('validation', validation, ['createdAt'])
      await sql(`${insert} on conflict (job_id) do nothing`, params)
    }),

  validation: async jobId =>
    validations.one(await read(`select ${validations.columns} from validation where job_id = $1`, [jobId])),

  validations: async (agentId, limit) => followed.all(await read(following, [agentId, limit])),
})
