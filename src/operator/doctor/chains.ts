import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { formatEther } from 'viem'
import { findAnvil } from '../../chain/embedded/devnode/anvil.ts'
import { type ChainChoice, type ChainSettings, toChainSettings } from '../../chain/public/chainConfigs.ts'
import { probeLaunchpad } from '../../chain/public/probe/launchpad.ts'
import { type ChainFacts, probeChain } from '../../chain/public/probe.ts'
import { answered, createNode, type Node } from '../../chain/rpc/node.ts'
import type { Config } from '../../config.ts'
import { minuteMs } from '../../domain/durations.ts'
import { type Finding, ok, warning, wrong } from '../../domain/offerings/diagnosis.ts'
import { Problem } from '../../domain/problem.ts'
import type { Known } from './database.ts'

/** A newest block older than this says that the node is behind, or that the clock of this machine is wrong. */
const oldBlockMs = 5 * minuteMs
const timeoutMs = 10_000

/** Checks the embedded chain, or every configured public one. */
export const checkChains = async (config: Config, wallets: Known): Promise<Finding[]> => {
  if (config.chains.length === 0) return checkEmbedded(config)
  const findings = config.chains.map(it =>
    checkChain(it, wallets).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      return [wrong(`chain ${it.chainId}`, error.detail, `Check the node behind RPC_URL_${it.chainId}.`)]
    }),
  )
  return (await Promise.all(findings)).flat()
}

const checkEmbedded = async ({ anvil }: Config): Promise<Finding[]> => {
  const binary = findAnvil(anvil)
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: timeoutMs })
    return [ok('embedded chain', stdout.split('\n')[0] ?? binary)]
  } catch {
    const remedy = 'Install it with npm ci, set ANVIL to its path, or set RPC_URL_97 to serve a public chain.'
    return [wrong('embedded chain', `Foundry's anvil does not run: ${binary}.`, remedy)]
  }
}

const checkChain = async (choice: ChainChoice, wallets: Known): Promise<Finding[]> => {
  const settings = toChainSettings(choice)
  const check = `chain ${choice.chainId}`
  const node = createNode(settings)
  const probe = await probeChain(settings, node)
  if ('findings' in probe)
    return probe.findings.map(it => wrong(check, it, `Correct RPC_URL_${choice.chainId}, or the setting that is named.`))
  const { usdcDecimals, feeBps } = probe.facts
  return [
    ok(check, `${settings.name} answers; its contracts fit. USDC has ${usdcDecimals} decimals, the fee is ${feeBps / 100} %.`),
    await checkAge(node, check),
    ...(await checkReceivers(settings, { node, facts: probe.facts, wallets, check })),
    ...(await checkCoins(settings, { node, wallets, check })),
  ]
}

const checkAge = async (node: Node, check: string): Promise<Finding> => {
  const { timestamp, number } = await answered(node.getBlock())
  const ageMs = Date.now() - Number(timestamp) * 1_000
  const words = `The newest block ${number} is ${Math.round(Math.abs(ageMs) / 1_000)} s ${ageMs < 0 ? 'in the future' : 'old'}.`
  return Math.abs(ageMs) > oldBlockMs
    ? warning(check, words, 'Check the clock of this machine (NTP), and whether the node follows its chain.')
    : ok(check, words)
}

type Seen = { node: Node; facts: ChainFacts; wallets: Known; check: string }

const checkReceivers = async (settings: ChainSettings, { node, facts, wallets, check }: Seen): Promise<Finding[]> => {
  const { treasury } = wallets
  if (!treasury) return []
  const { feeBps, feeReceiver } = facts
  const findings: Finding[] = []
  if (feeBps > 0 && feeReceiver !== treasury)
    findings.push(
      wrong(
        check,
        `The escrow pays its fee to ${feeReceiver}, not to the treasury of this service, ${treasury}.`,
        'Deploy an escrow of this service: market operator deploy.',
      ),
    )
  const tokens = await probeLaunchpad(settings, { node, treasury })
  if (tokens && 'finding' in tokens)
    findings.push(wrong(check, tokens.finding, `Correct LAUNCHPAD_${settings.chainId}, or unset it.`))
  return findings
}

/** Checks that the treasury can fill other wallets, and that the evaluator can settle. */
const checkCoins = async (
  { policy, chainId }: ChainSettings,
  { node, wallets, check }: Omit<Seen, 'facts'>,
): Promise<Finding[]> => {
  if (!wallets.treasury) return [ok(check, 'The treasury is made at the first start, which names its address.')]
  const roles = [
    ['treasury', wallets.treasury],
    ['evaluator', wallets.evaluator],
  ] as const
  const findings = roles.map(async ([role, address]) => {
    if (!address) return []
    const wei = await answered(node.getBalance({ address }))
    const words = `The ${role} ${address} has ${formatEther(wei)} coins.`
    const needs = role === 'treasury' ? policy.topUpWei : 1n
    if (wei >= needs) return [ok(check, words)]
    const few = `Send it native coin of chain ${chainId}: at least ${formatEther(10n * policy.topUpWei)}.`
    return role === 'treasury'
      ? [wrong(check, `${words} It cannot fill the other wallets, so nothing can be hired.`, few)]
      : [warning(check, words, 'The treasury fills it when the service runs.')]
  })
  return (await Promise.all(findings)).flat()
}
