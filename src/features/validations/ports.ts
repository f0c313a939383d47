import type { AgentId } from '../../domain/agents/agentId.ts'
import type { FollowedValidation, Tables, Validation, ValidationReads } from '../../ports.ts'

export type ValidationTables = ValidationReads & {
  /** Inserts only the validation, unless the job has one. Its intents must be added in the same transaction. */
  addValidation(validation: Omit<Validation, 'createdAt'>): Promise<void>
  /** Validations of an agent, newest first. */
  validations(agentId: AgentId, limit: number): Promise<FollowedValidation[]>
}

export const validationsOf = (tables: Tables): ValidationTables => tables as Tables & ValidationTables
