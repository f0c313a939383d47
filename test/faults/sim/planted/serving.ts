import type { Mutation } from '../mutation.ts'

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
]
