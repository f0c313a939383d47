import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatEther } from 'viem'
import { toChainSettings } from '../chain/public/chainConfigs.ts'
import { type Deployable, deployables, deployMissing, planDeployment, priceDeployment } from '../chain/public/deployment.ts'
import { createNode } from '../chain/rpc/node.ts'
import { createKmsKeys } from '../chain/signing/kms/keys.ts'
import { createSealer, keyIdOfSealed, readMasterKey } from '../chain/signing/secrets.ts'
import { createWallets } from '../chain/signing/wallets.ts'
import type { Config } from '../config.ts'
import type { Address } from '../domain/hex.ts'
import { ensurePrivateFolder } from '../process/folder.ts'
import { systemClock } from '../process/system.ts'
import { anySealed } from '../store/access/sealed.ts'
import { openStore } from '../store/store.ts'

export type DeployOptions = {
  config: Config
  chainId: number
  /** Where the settings of the new contracts are written, as lines of NAME=address. */
  settingsFile: string
  say(line: string): void
  /** The operator's yes to the costs; undefined when nobody can be asked. */
  confirm(question: string): Promise<boolean | undefined>
}

export type Deployed = {
  chain_id: number
  deployer: Address
  treasury: Address
  deployed: string[]
  settings: Record<string, string>
}

/**
 * Deploys the contracts that a public chain lacks: the escrow, the launchpad, the validation registry, and the other registries
 * where there are no canonical ones. The deployer and the treasury are custodial wallets of this service. Each address is written
 * before the next deployment, so that an interrupted run can continue.
 * @returns undefined when the operator did not agree
 */
export const deployContracts = async ({
  config,
  chainId,
  settingsFile,
  say,
  confirm,
}: DeployOptions): Promise<Deployed | undefined> => {
  const choice = config.chains.find(it => it.chainId === chainId)
  if (!choice) throw new Error(`Set RPC_URL_${chainId} to a node of chain ${chainId}.`)
  const settings = toChainSettings(choice)
  const node = createNode(settings)
  const { wallets, close } = await openWallets(config)
  try {
    const [deployer, treasury] = [await wallets.ensure('deployer', ''), await wallets.ensure('treasury', '')]
    const evaluator = await wallets.ensure('evaluator', '')
    const written = await readLines(settingsFile)
    const suffix = `_${chainId}`
    const given = {
      ...written.addressesOf(suffix),
      ...withoutUndefined({
        ESCROW: choice.escrow,
        LAUNCHPAD: choice.launchpad,
        REGISTRY: choice.registry,
        REPUTATION: choice.reputation,
        VALIDATION: choice.validation,
      }),
    }
    const of = { settings, given, treasury, evaluator, escrowFeeBps: config.feeBps }
    const plan = await planDeployment(node, of)
    const { gas, costWei, balanceWei } = await priceDeployment(node, of, { plan, from: deployer })
    say(`Chain ${chainId}. Deployer ${deployer}, treasury and receiver of all fees ${treasury}.`)
    for (const [name, address] of Object.entries(plan.existing)) say(`  ${name} exists at ${address}`)
    for (const it of gas) say(`  ${it.name} costs ${it.gas.toLocaleString('en')} gas`)
    say(`At most ${formatEther(costWei)} coins of the deployer, who has ${formatEther(balanceWei)}.`)
    if (balanceWei < costWei)
      throw new Error(`Send ${formatEther(costWei - balanceWei)} coins to ${deployer}, then run this again.`)
    if (plan.missing.length > 0 && !(await confirm(`Deploy ${plan.missing.join(', ')}?`))) return undefined
    const { account } = await wallets.holder(deployer)
    const placed = await deployMissing(node, { ...of, account, plan }, async (name, address) => {
      await written.set(`${name}${suffix}`, address)
      say(`  ${name}${suffix}=${address}`)
    })
    const lines = Object.entries(placed).map(([name, address]) => [`${name}${suffix}`, address] as const)
    return { chain_id: chainId, deployer, treasury, deployed: plan.missing, settings: Object.fromEntries(lines) }
  } finally {
    await close()
  }
}

const openWallets = async (config: Config) => {
  await ensurePrivateFolder(config.dataDir)
  const place = config.databaseUrl ? { url: config.databaseUrl } : { file: join(config.dataDir, 'market.db') }
  const store = await openStore({ ...place, clock: systemClock })
  const sealed = await anySealed(store.db)
  const file = join(config.dataDir, 'master.key')
  const { masterKey: hex, databaseUrl } = config
  const sealedWith = sealed && keyIdOfSealed(sealed)
  const sealer = createSealer(await readMasterKey({ hex, file, sealedWith, databaseUrl }))
  return { wallets: createWallets({ store, sealer, kms: config.kms && createKmsKeys(config.kms) }), close: store.close }
}

const withoutUndefined = (of: Partial<Record<Deployable, Address | undefined>>): Partial<Record<Deployable, Address>> =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined))

const isAddress = (text: string | undefined): text is Address => /^0x[0-9a-f]{40}$/.test(text ?? '')

/** A file of settings. Lines that are not changed stay as they are. */
const readLines = async (file: string) => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  let lines = text.split('\n').filter((line, at, all) => line !== '' || at < all.length - 1)
  const settingOf = (name: string) => lines.find(it => it.startsWith(`${name}=`))?.slice(name.length + 1)
  return {
    addressesOf: (suffix: string): Partial<Record<Deployable, Address>> => {
      const found = deployables.map(name => [name, settingOf(`${name}${suffix}`)] as const)
      return Object.fromEntries(found.filter(([, value]) => isAddress(value)))
    },
    async set(name: string, value: string) {
      lines = [...lines.filter(it => !it.startsWith(`${name}=`)), `${name}=${value}`]
      await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    },
  }
}
