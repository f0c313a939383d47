import type { AgentId } from './domain/agents/agentId.ts'
import type { Feature } from './features/feature.ts'
import { features as all } from './features/features.ts'
import { coreRoutes } from './http/routes.ts'
import { coreTools } from './mcp/tools.ts'
import type { Tables } from './ports.ts'

export type { Feature }

/**
 * Joins the lists of the core with those of features. Only this file knows both.
 * @throws RangeError when a feature needs one that is absent
 */
export const assemble = (features: readonly Feature[] = all) => {
  const names = new Set(features.map(it => it.name))
  for (const { name, needs } of features)
    for (const it of needs) if (!names.has(it)) throw new RangeError(`The feature ${name} needs ${it}.`)
  return {
    routes: [...coreRoutes, ...features.flatMap(it => it.routes ?? [])],
    openPages: features.flatMap(it => it.openPage ?? []),
    tools: [...coreTools, ...features.flatMap(it => it.tools ?? [])],
    asking: features.flatMap(it => it.asking ?? []),
    tables: features.flatMap(it => it.tables ?? []),
    jobs: features.flatMap(it => it.jobs ?? []),
    certificatesOf: async (tables: Tables, agentIds: AgentId[]) =>
      (await Promise.all(features.map(it => it.certificatesOf?.(tables, agentIds) ?? []))).flat(),
    blockedBy: features.find(it => it.blockedBy)?.blockedBy,
    newestReports: features.find(it => it.newestReports)?.newestReports,
    personal: features.flatMap(it => it.personal ?? []),
    tokens: features.find(it => it.tokens)?.tokens,
    presence: features.find(it => it.presence)?.presence,
    selling: features.find(it => it.selling)?.selling,
    buying: features.find(it => it.buying)?.buying,
    supply: features.find(it => it.supply)?.supply,
    taskPushes: features.find(it => it.taskPushes)?.taskPushes,
    advances: features.flatMap(it => it.advance ?? []),
    followers: features.flatMap(it => it.follower ?? []),
    workers: features.flatMap(it => it.workers ?? []),
  }
}
