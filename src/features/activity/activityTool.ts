import { z } from 'zod'
import { readsOnly } from '../../mcp/annotations.ts'
import { rowsAtOnce } from '../../mcp/marketView.ts'
import { tool } from '../../mcp/tool.ts'
import { listActivity } from './listActivity.ts'

/** `what` is the offering with its agent, or the other wallet. */
const row = z.object({ at: z.string(), kind: z.string(), amount: z.string(), what: z.string() })

export const activityTool = tool({
  name: 'list_activity',
  title: 'List activity',
  operation: listActivity,
  annotations: readsOnly,
  description: 'What the wallet paid and received in USDC, newest first.',
  input: z.object({ before: z.string().optional() }),
  toInput: ({ before }) => ({ limit: rowsAtOnce, ...(before && { before }) }),
  output: z.object({ activity: z.array(row) }),
  show: ({ activity, next }) => ({
    view: {
      activity: activity.map(({ at, kind, amount, agent_handle, offering_name, subject, counterparty }) => ({
        at,
        kind,
        amount,
        what: offering_name === null ? (subject ?? counterparty) : `${offering_name} by ${agent_handle}: ${subject}`,
      })),
    },
    ...(next !== null && { nextStep: `Older ones: call list_activity with before ${next}.` }),
  }),
})
