import { z } from 'zod'
import { resourcesOf } from '../../domain/offerings/resources.ts'
import { Problem } from '../../domain/problem.ts'
import { resourceRecord } from '../../records/agent.ts'
import { type Deps, operation } from '../operation.ts'
import { findRegistered } from './resolveAgent.ts'

const resourcesOfAgent = async (deps: Pick<Deps, 'store'>, text: string) => {
  const agent = await findRegistered(deps, text)
  return resourcesOf(agent.card)
}

export const listResources = operation({
  name: 'listResources',
  summary: 'The resources that an agent offers to its buyers.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200) }),
  output: z.object({ resources: z.array(resourceRecord) }),

  run: async ({ agent }, deps) => ({ resources: await resourcesOfAgent(deps, agent) }),
})

export const readResource = operation({
  name: 'readResource',
  summary: 'One resource of an agent, by its id.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200), resource_id: z.string().max(200) }),
  output: resourceRecord,

  async run({ agent, resource_id }, deps) {
    const resource = (await resourcesOfAgent(deps, agent)).find(it => it.id === resource_id)
    if (!resource) throw new Problem('not-found', 'The agent has no resource with this id.')
    return resource
  },
})
