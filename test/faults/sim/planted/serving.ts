import { z } from 'zod'
import type { Mutation } from '../mutation.ts'

const completion = z.looseObject({
  status: z.string().optional(),
  result: z.looseObject({ response: z.string().optional() }).nullish(),
})

/** Wrong ways to deal with agents. */
export const serving: Mutation[] = [
  {
    name: 'whoever names an agent is served as that agent',
    without: 'the credential that strict mode asks for',
    focus: [78],
    deps(deps) {
      const { gateway } = deps
      const find: typeof gateway.access.find = async text => ({ ...(await gateway.access.find(text)), isStrict: false })
      return { ...deps, gateway: { ...gateway, access: { ...gateway.access, find } } }
    },
  },
  {
    name: 'a completion that says nothing is a failure',
    without: 'the refusal of a body without a deliverable',
    focus: [80],
    async request(sent) {
      if (sent.name !== 'completeJob') return sent
      const said = completion.parse(sent.input)
      const isMute = !said.result?.response && said.status === undefined
      return isMute ? { ...sent, input: { ...said, status: 'failed', error: 'the deliverable was empty' } } : sent
    },
  },
]
