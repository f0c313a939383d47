import { respell } from './domain/text/spelling.ts'
import { chainIds, chainVariables, environment } from './settings.ts'

/**
 * A variable whose name differs from a setting by a typing error would be ignored in silence.
 * @throws Error that names the variable and the setting that it resembles, or the chain that is not supported
 */
export const refuseUnknownSettings = (names: readonly string[]): void => {
  const ofChains = Object.keys(chainVariables.shape).flatMap(name => chainIds.map(id => `${name}_${id}`))
  const settings = [...Object.keys(environment.shape), ...ofChains].map(it => it.toLowerCase())
  for (const name of names) {
    const [, chain] = /^RPC_URL_(\d+)$/.exec(name) ?? []
    if (chain && !settings.includes(name.toLowerCase()))
      throw new Error(`${name} names a chain that is not supported. Supported are ${chainIds.join(', ')}.`)
    const meant = respell(name.toLowerCase(), settings).toUpperCase()
    if (meant !== name.toUpperCase()) throw new Error(`There is no setting ${name}. Did you mean ${meant}?`)
  }
}
