import { permitProxy, uptoProxy } from '../../../../src/chain/signing/proxies.ts'
import { type Address, address } from '../../../../src/domain/hex.ts'
import { sha256 } from '../../../../src/domain/json.ts'
import { permit2Address } from '../../../../src/domain/x402/x402.ts'

/** The address for a name, the same in every simulation. */
export const addressOf = (name: string): Address => address.parse(`0x${sha256(name).slice(0, 40)}`)

export const simulatedChainId = 97

/** Known addresses of the modelled chain. */
export const places = {
  escrow: addressOf('escrow'),
  usdc: addressOf('usdc'),
  registry: addressOf('registry'),
  reputation: addressOf('reputation'),
  validation: addressOf('validation'),
  treasury: addressOf('treasury'),
  evaluator: addressOf('evaluator'),
  launchpad: addressOf('launchpad'),
  wrappedCoin: addressOf('wrapped coin'),
  permit2: permit2Address,
  permitProxy,
  uptoProxy,
  /** All parties outside the service. */
  outside: addressOf('outside'),
}

/** Price of one unit of gas in wei. */
export const usualGasPrice = 10n ** 9n
/** Maximum fee per gas. A top-up pays for any single call at this price. */
export const dearestGas = 3n * usualGasPrice

/** Native coin in wei. A top-up pays for about three hires, so that wallets need another one within a scenario. */
export const coinFor = { treasury: 10n ** 21n, topUp: 10n ** 15n }

/** The launchpad's terms. Its virtual reserves of 20 USDC and 0.02 wrapped coins make small trades move the price. */
export const launchpadTerms = {
  ...{ feeBps: 100, creatorShareBps: 5_000n },
  virtualReserves: { usdc: 20_000_000n, wrapped: 2n * 10n ** 16n },
}
