import { chainNames } from '../../domain/chains/chains.ts'
import type { Address } from '../../domain/hex.ts'
import { lower } from '../rpc/checksum.ts'
import { publicGasCeilings } from '../rpc/gas.ts'
import type { ChainPolicy } from '../signing/policy.ts'

// Known settings of the five supported public chains. The addresses come from public clients and documentation and were not
// verified by calls from this project. The probe checks every value before a chain is served, and environment variables can
// override every address.

export type PublicChainId = keyof typeof chainNames

/** The EIP-712 domain of a token. */
type TokenDomain = { name: string; version: string }

export type UsdcSettings = {
  address: Address
  /** Expected decimals; undefined accepts whatever the token returns. */
  decimals: number | undefined
  domain: TokenDomain | undefined
}

export type ChainSettings = {
  chainId: number
  name: string
  rpcUrl: string
  explorer: string
  /** Undefined where the known contract is not an ERC-8183 escrow. */
  escrow: Address | undefined
  /** The evaluator contract that other clients use on this chain. Jobs of this service name its own evaluator wallet instead. */
  evaluator: Address
  /** Identity registry (ERC-8004). */
  registry: Address
  reputation: Address
  /** Validation registry (ERC-8004). No canonical one is published, so there is none by default. */
  validation?: Address | undefined
  usdc: UsdcSettings
  /** Undefined where no agent tokens are offered. */
  launchpad?: Address | undefined
  wrappedCoin: Address | undefined
  /** Tokens that people send in place of USDC. A closed list, because anybody can make a token and send it to anybody. */
  others: readonly Address[]
  policy: ChainPolicy
}

export type ChainChoice = {
  chainId: PublicChainId
  rpcUrl: string
  escrow?: Address | undefined
  evaluator?: Address | undefined
  registry?: Address | undefined
  reputation?: Address | undefined
  validation?: Address | undefined
  usdc?: Address | undefined
  launchpad?: Address | undefined
  wrappedCoin?: Address | undefined
  others?: readonly Address[] | undefined
  confirmations?: number | undefined
  /** Base address of the x402 facilitator that settles paid calls on this chain. */
  facilitator?: string | undefined
}

// ERC-8004 registries: one pair of addresses for all testnets, one for all mainnets (erc-8004/erc-8004-contracts, README).
const testnetRegistries = {
  registry: lower('0x8004A818BFB912233c491871b3d84c89A494BD9e'),
  reputation: lower('0x8004B663056A597Dffe9eCcC1965A193B7388713'),
}
const mainnetRegistries = {
  registry: lower('0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'),
  reputation: lower('0x8004BAa17C55a88189AE136b182e5fdA19dE9b63'),
}

// WBNB on BSC; WETH is a predeploy at the same address of every OP chain.
const wrapped = {
  97: lower('0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd'),
  56: lower('0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c'),
  base: lower('0x4200000000000000000000000000000000000006'),
}

/** Tokens of large circulation, most of them worth a dollar: USDT, DAI, EURC, bridged USDC (USDbC), BUSD and FDUSD. */
const lookAlikes: Record<PublicChainId, readonly string[]> = {
  97: ['0x337610d27c682E347C9cD60BD4b3b107C9d34dDd', '0xeD24FC36d5Ee211Ea25A80239Fb8C4Cfd80f12Ee'],
  84532: ['0x808456652fdb597867f38412077A9182bf77359F'],
  1952: [],
  56: [
    '0x55d398326f99059fF775485246999027B3197955',
    '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3',
    '0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56',
    '0xc5f0f7b66764F6ec8C8Dff7BA683102295E16409',
  ],
  8453: [
    '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
    '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
    '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42',
    '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
  ],
}

const gwei = 10n ** 9n
const treatment = (of: Omit<ChainPolicy, 'gas' | 'resendAfterMs' | 'triesFirst'>): ChainPolicy => ({
  ...of,
  gas: publicGasCeilings,
  resendAfterMs: 5_000,
  triesFirst: true,
})

/** BSC has 0.45 s blocks that are final after about three (fast finality). Twelve confirmations cover nodes without finality. */
const onBsc = { confirmations: 12, blockTimeMs: 450, replaceAfterMs: 6_000 }
/** Base has one sequencer and 2 s blocks. Two confirmations are required until the data is on Ethereum. */
const onBase = { confirmations: 2, blockTimeMs: 2_000, replaceAfterMs: 12_000 }

/** Circle's tokens use version 2 in their EIP-712 domain (asset table of @x402/evm). */
const circleVersion = '2'

const table: Record<PublicChainId, Omit<ChainSettings, 'chainId' | 'name' | 'rpcUrl' | 'launchpad' | 'validation' | 'others'>> = {
  97: {
    wrappedCoin: wrapped[97],
    explorer: 'https://testnet.bscscan.com',
    ...testnetRegistries,
    escrow: lower('0x770a741AB71d1A75a124133098f2da11F893488C'),
    evaluator: lower('0xd4bfA87D71f0D696F164a5511c45A50670507cF7'),
    usdc: { address: lower('0x64544969ed7EBf5f083679233325356EbE738930'), decimals: undefined, domain: undefined },
    policy: treatment({ ...onBsc, maxFeePerGasWei: 5n * gwei, topUpWei: 10n ** 16n }),
  },
  84532: {
    wrappedCoin: wrapped.base,
    explorer: 'https://sepolia.basescan.org',
    ...testnetRegistries,
    escrow: lower('0xdcE48013B8D9b6812C1eb101621E588967F1F9e3'),
    evaluator: lower('0x071a9F7c68292cEbc4dc88cf35a0de93b6831d11'),
    usdc: {
      address: lower('0x036CbD53842c5426634e7929541eC2318f3dCF7e'),
      decimals: 6,
      domain: { name: 'USDC', version: circleVersion },
    },
    policy: treatment({ ...onBase, maxFeePerGasWei: gwei / 2n, topUpWei: 10n ** 15n }),
  },
  1952: {
    wrappedCoin: undefined,
    explorer: 'https://www.oklink.com/xlayer-test',
    ...testnetRegistries,
    // Registry only: the known address 0x00e5c0051cd65f261720e0bdcf459e136552dbf5 is an OKX OptimisticEscrow, not an ERC-8183
    // one.
    escrow: undefined,
    evaluator: lower('0xFc140Ff8108448c56c0f9FACd0c3434E83aE1568'),
    usdc: {
      address: lower('0xcb8bf24c6ce16ad21d707c9505421a17f2bec79d'),
      decimals: 6,
      domain: { name: 'USDC_TEST', version: circleVersion },
    },
    policy: treatment({
      confirmations: 5,
      blockTimeMs: 1_000,
      replaceAfterMs: 10_000,
      maxFeePerGasWei: 2n * gwei,
      topUpWei: 5n * 10n ** 15n,
    }),
  },
  56: {
    wrappedCoin: wrapped[56],
    explorer: 'https://bscscan.com',
    ...mainnetRegistries,
    escrow: lower('0x5b02dF1580ef4580755c68F3E43838F727541a69'),
    evaluator: lower('0x26cAb683D3c04AB521894edA13f24E3726944472'),
    // Binance-Peg USDC has 18 decimals and supports neither EIP-3009 nor permit.
    usdc: { address: lower('0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'), decimals: 18, domain: undefined },
    policy: treatment({ ...onBsc, maxFeePerGasWei: gwei, topUpWei: 12n * 10n ** 14n }),
  },
  8453: {
    wrappedCoin: wrapped.base,
    explorer: 'https://basescan.org',
    ...mainnetRegistries,
    escrow: lower('0x5009ABB3A309115a4a682C66BAf3BC9E0329BaB7'),
    evaluator: lower('0x4302e523D982f3b89Cfc43cE4530C012b495Ec11'),
    usdc: {
      address: lower('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
      decimals: 6,
      domain: { name: 'USD Coin', version: circleVersion },
    },
    policy: treatment({ ...onBase, maxFeePerGasWei: gwei / 5n, topUpWei: 25n * 10n ** 13n }),
  },
}

/**
 * Merges the known settings of a chain with those of the environment. For a token other than the known USDC, no decimals and
 * no EIP-712 domain are expected.
 */
export const toChainSettings = ({ chainId, rpcUrl, usdc, confirmations, ...choice }: ChainChoice): ChainSettings => {
  const known = table[chainId]
  return {
    chainId,
    name: chainNames[chainId],
    rpcUrl,
    explorer: known.explorer,
    escrow: choice.escrow ?? known.escrow,
    evaluator: choice.evaluator ?? known.evaluator,
    registry: choice.registry ?? known.registry,
    reputation: choice.reputation ?? known.reputation,
    validation: choice.validation,
    launchpad: choice.launchpad,
    wrappedCoin: choice.wrappedCoin ?? known.wrappedCoin,
    others: [
      ...new Set([
        ...lookAlikes[chainId].map(lower),
        ...(known.wrappedCoin ? [known.wrappedCoin] : []),
        ...(choice.others ?? []),
      ]),
    ],
    usdc: usdc && usdc !== known.usdc.address ? { address: usdc, decimals: undefined, domain: undefined } : known.usdc,
    policy: { ...known.policy, confirmations: confirmations ?? known.policy.confirmations },
  }
}
