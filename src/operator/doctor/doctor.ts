import { type Config, readConfig } from '../../config.ts'
import { toTestChain } from '../../domain/chains/chains.ts'
import { type Finding, ok, warning, wrong } from '../../domain/offerings/diagnosis.ts'
import { chainIds, chainVariables } from '../../settings.ts'
import { checkChains } from './chains.ts'
import { checkConnections } from './connections.ts'
import { checkDatabase } from './database.ts'
import { checkAddresses, checkFolder, checkPort, checkSpace } from './host.ts'
import { checkPeers } from './peers.ts'

type Environment = Record<string, string | undefined>

/** Checks everything that a service of this environment needs. It only reads, also while the service runs. */
export const examine = async (env: Environment): Promise<Finding[]> => {
  const config = readOrFind(env)
  if ('finding' in config) return [config.finding]
  const findings = [...checkSettings(env, config), ...checkAddresses(config), await checkPort(config)]
  const folder = await checkFolder(config)
  findings.push(folder)
  if (folder.level !== 'wrong') findings.push(await checkSpace(config))
  const { findings: ofDatabase, wallets } = await checkDatabase(config)
  const ofConnections = await checkConnections(config)
  return [...findings, ...ofDatabase, ...ofConnections, ...(await checkChains(config, wallets)), ...(await checkPeers(config))]
}

const readOrFind = (env: Environment): Config | { finding: Finding } => {
  try {
    return readConfig(env)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { finding: wrong('configuration', words, 'Correct this setting first: the service does not start with it.') }
  }
}

const removesAtOnce = 'RETENTION_DAYS=0 is for market operator prune only: the service does not start with it.'

const checkSettings = (env: Environment, config: Config): Finding[] => {
  const idle = Object.keys(chainVariables.shape).flatMap(name =>
    chainIds.flatMap(id => (name !== 'RPC_URL' && env[`${name}_${id}`] && !env[`RPC_URL_${id}`] ? { name, id } : [])),
  )
  const findings = idle.map(({ name, id }) =>
    wrong('configuration', `${name}_${id} has no effect, because RPC_URL_${id} is not set.`, `Set RPC_URL_${id}, or unset it.`),
  )
  if (config.keepMs === 0)
    findings.push(wrong('configuration', removesAtOnce, 'Set RETENTION_DAYS to 1 or more for the service.'))
  const served = config.chains.map(it => it.chainId)
  if (served.length > 0 && toTestChain(served) === undefined)
    findings.push(
      warning(
        'default chain',
        `Requests that may move money are refused without chain_id, because only real money is served (${served.join(', ')}).`,
        'Make sure that your clients send chain_id.',
      ),
    )
  if (!config.operatorToken)
    findings.push(
      warning(
        'operator',
        'Without OPERATOR_TOKEN there are no metrics and no operator page.',
        'Set OPERATOR_TOKEN to a random text.',
      ),
    )
  return findings.some(it => it.check === 'configuration')
    ? findings
    : [ok('configuration', 'Every setting is known and fits.'), ...findings]
}
