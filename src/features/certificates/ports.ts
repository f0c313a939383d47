import { z } from 'zod'
import type { AgentId } from '../../domain/agents/agentId.ts'
import { testDeliveryNames } from '../../domain/certificates/testDeliveries.ts'
import { type Address, address } from '../../domain/hex.ts'
import { finding } from '../../domain/jobs/acceptance.ts'
import { offering } from '../../domain/offerings/offering.ts'
import { jsonText, maybe, type RowOf } from '../../ports/rows/columns.ts'
import type { Certificate, Tables } from '../../ports.ts'

/** A job that an owner sends to their own agent as a test. It has no escrow and no run. */
export const testJobRow = {
  id: z.string(),
  owner: address,
  agentId: z.string(),
  chainId: z.number(),
  offering: jsonText(offering),
  offeringVersion: z.number(),
  input: z.string(),
  delivery: z.enum(testDeliveryNames),
  /** How often it was delivered so far. */
  deliveries: z.number(),
  /** Deadline in epoch ms; a later deliverable is refused. */
  submitBy: z.number(),
  leasedAt: maybe(z.number()),
  endedAt: maybe(z.number()),
  /** The beginning of the deliverable; undefined before the end, and after a failure. */
  deliverable: maybe(z.string()),
  /** The failure that the agent reported; otherwise empty. */
  failure: z.string(),
  /** The findings about the deliverable; empty before the end. */
  criteria: jsonText(z.array(finding)),
  createdAt: z.number(),
}
export type TestJob = RowOf<typeof testJobRow>

export type NewTestJob = Omit<TestJob, 'deliveries' | 'leasedAt' | 'endedAt' | 'createdAt' | keyof TestJobEnd>

export type TestJobEnd = Pick<TestJob, 'deliverable' | 'failure' | 'criteria'>

export type TestJobTables = {
  addTestJob(job: NewTestJob): Promise<TestJob>
  /** Test jobs of an owner: those without an end, and those of the last 24 hours. It takes a lock until the transaction ends. */
  lockTestJobCounts(owner: Address): Promise<{ underWay: number; today: number }>
  testJob(id: string): Promise<TestJob | undefined>
  /** Test jobs of an agent that were sent after `since` (epoch ms), oldest first. */
  testJobsSince(agentId: AgentId, since: number): Promise<TestJob[]>
  /** Leases the next test job of an agent, or the one with this id, in one conditional write; once for each of its deliveries. */
  leaseTestJob(agentId: AgentId, id?: string): Promise<TestJob | undefined>
  /** Whether a completion of the test job is to be lost, in one conditional write that counts it. */
  loseTestCompletion(id: string): Promise<boolean>
  /** Ends a leased test job in one conditional write; undefined when it has ended or its deadline has passed. */
  endTestJob(id: string, end: TestJobEnd): Promise<TestJob | undefined>
}

export type CertificateTables = {
  putCertificate(certificate: Certificate): Promise<void>
  /** Certificates that have not expired, of offerings that have not changed since. */
  certificates(agentIds: AgentId[]): Promise<Certificate[]>
}

export const testsOf = (tables: Tables): TestJobTables & CertificateTables => tables as Tables & TestJobTables & CertificateTables
