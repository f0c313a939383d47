import type { Config } from '../config.ts'
import { type OperatorRecord, operatorRecord } from '../records/operator.ts'

type Wallets = OperatorRecord['wallets']

const timeoutMs = 15_000

/**
 * Reads the wallets of a running service.
 * @param endpoint address of the service, where it is not HOST and PORT
 * @throws Error that says why it cannot be read
 */
export const readTreasury = async (
  { host, port, operatorToken }: Pick<Config, 'host' | 'port' | 'operatorToken'>,
  endpoint?: string,
): Promise<Wallets> => {
  if (!operatorToken) throw new Error('Set OPERATOR_TOKEN, here and for the service.')
  const url = endpoint ?? `http://${host}:${port}`
  const headers = { authorization: `Bearer ${operatorToken}` }
  const answer = await fetch(`${url}/operator/state`, { headers, signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined)
  if (!answer) throw new Error(`No service answers at ${url}. Start it, or set SERVICE_ENDPOINT.`)
  if (!answer.ok) throw new Error(`The service at ${url} does not accept this OPERATOR_TOKEN.`)
  return operatorRecord.parse(await answer.json()).wallets
}

const yearDays = 365

const lastingOf = (days: number): string => (days > yearDays ? 'more than a year' : `${days} days`)

export const describeTreasury = (wallets: Wallets): string => {
  const lines = wallets.flatMap(it => {
    const rate = it.coin_a_day === undefined ? 'no transactions in seven days' : `at most ${it.coin_a_day} a day`
    const lasts = it.days_left === undefined ? '' : `, enough for ${lastingOf(it.days_left)}`
    const of = `chain ${it.chain_id} ${it.role.padEnd(9)} ${it.address}`
    return [of, `  ${it.coin} coins (${rate}${lasts}), ${it.usdc} USDC`, ...fill(it)]
  })
  return lines.length > 0 ? lines.join('\n') : 'No chain is served now: see market operator doctor.'
}

const fill = ({ role, chain_id: chainId, address, is_filled: isFilled }: Wallets[number]): string[] => {
  if (role === 'treasury')
    return [
      `  ${isFilled ? 'To fill it' : 'It is empty'}: send native coin of chain ${chainId} to ${address}. ` +
        'It fills all other wallets.',
    ]
  return isFilled ? [] : ['  It is empty: the treasury fills it while the service runs.']
}
