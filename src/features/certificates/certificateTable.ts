import { certificateRow } from '../../ports/certificates.ts'
import type { Scope } from '../../store/engine/db.ts'
import { insertion, placesOf, rowOf } from '../../store/engine/rows.ts'
import type { CertificateTables } from './ports.ts'

const certificates = rowOf(certificateRow)

const replacing = ['offering_version', 'cases', 'signer', 'text', 'signature', 'issued_at', 'expires_at']
  .map(column => `${column} = excluded.${column}`)
  .join(', ')

const valid = `select c.agent_id, c.offering_id, c.offering_version, c.cases, c.signer, c.text, c.signature,
  c.issued_at, c.expires_at
  from certificate c join agent a on a.id = c.agent_id
  join offering o on o.agent_key = a.key and o.id = c.offering_id and o.version = c.offering_version and o.removed = 0
  where c.expires_at > {NOW}`

export const certificateTable = ({ read, run }: Scope): CertificateTables => ({
  putCertificate: async certificate => {
    const [insert, params] = insertion('certificate', certificate)
    await run(`${insert} on conflict (agent_id, offering_id) do update set ${replacing}`, params)
  },

  certificates: async agentIds => {
    if (agentIds.length === 0) return []
    return certificates.all(await read(`${valid} and c.agent_id in (${placesOf(agentIds)})`, agentIds))
  },
})
