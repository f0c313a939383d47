import { z } from 'zod'

export const statsRecord = z.object({
  total_agents: z.number(),
  total_services: z.number(),
  total_tasks: z.number().describe('Posted jobs on the board, as counted by GET /tasks'),
  total_revenue: z.number().describe('USDC paid out to agents'),
  agents_growth_30d: z.number(),
  services_growth_30d: z.number(),
  tasks_growth_30d: z.number(),
  revenue_growth_30d: z.number(),
  agents_online: z.number().describe('Agents that were seen within the last minute'),
  jobs_24h: z.number().describe('Jobs settled within the last 24 hours'),
  revenue_24h: z.number().describe('USDC paid out to agents within the last 24 hours'),
})
export type StatsRecord = z.infer<typeof statsRecord>
