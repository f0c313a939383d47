import { z } from 'zod'
import { testDeliveryNames } from '../domain/certificates/testDeliveries.ts'
import { finding } from '../domain/offerings/diagnosis.ts'

export const certificateRecord = z.object({
  issued_at: z.string(),
  expires_at: z.string().describe('It also ends when the offering changes'),
  cases: z.number().describe('Test jobs that were answered as promised'),
  signer: z.string().describe('The evaluator'),
  text: z.string().describe('The signed text (EIP-191)'),
  signature: z.string(),
})

export const caseRecord = z.object({
  name: z.string(),
  input: z.json().optional().describe('Left out when it is long'),
  delivery: z.enum(testDeliveryNames),
  must: z.enum(['pass', 'answer']),
  result: z.enum(['untested', 'passed', 'refused', 'failed']),
})

export const certificationRecord = z.object({
  agent_id: z.string(),
  offering_id: z.string(),
  certified: z.boolean(),
  certificate: certificateRecord.optional(),
  cases: z.array(caseRecord),
  findings: z.array(finding).describe('What is wrong with the agent; empty when nothing is'),
})
export type CaseRecord = z.infer<typeof caseRecord>
