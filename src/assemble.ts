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
  for (const { name, needs = [] } of features)
    for (const it of needs) if (!names.has(it)) throw new RangeError(`The feature ${name} needs ${it}.`)
  /** What one feature alone provides; undefined without it. */
  const only = <K extends keyof Feature>(part: K) => features.find(it => it[part])?.[part]
  return {
    routes: [...coreRoutes, ...features.flatMap(it => it.routes ?? [])],
    openPages: features.flatMap(it => it.openPage ?? []),
    tools: [...coreTools, ...features.flatMap(it => it.tools ?? [])],
    asking: features.flatMap(it => it.asking ?? []),
    tables: features.flatMap(it => it.tables ?? []),
    certificatesOf: async (tables: Tables, agentIds: AgentId[]) =>
      (await Promise.all(features.map(it => it.certificatesOf?.(tables, agentIds) ?? []))).flat(),
    advances: features.flatMap(it => it.advance ?? []),
    /** What operations ask of a feature. */
    parts: {
      followers: features.flatMap(it => it.follower ?? []),
      otherJobs: features.flatMap(it => it.jobs ?? []),
      personal: features.flatMap(it => it.personal ?? []),
      blockedBy: only('blockedBy'),
      newestReports: only('newestReports'),
      tokens: only('tokens'),
      presence: only('presence'),
      selling: only('selling'),
      buying: only('buying'),
      supply: only('supply'),
      taskPushes: only('taskPushes'),
    },
    workers: features.flatMap(it => it.workers ?? []),
  }
}
