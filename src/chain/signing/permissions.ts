import { type ContractFunctionName, concat, pad, toFunctionSelector } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Address, Hex } from '../../domain/hex.ts'
import { permit2Address } from '../../domain/x402/x402.ts'
import type { Chain, OtherToken, WalletRole } from '../../ports.ts'
import { agentRegistryAbi } from '../contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi } from '../contracts/artifacts/JobEscrow.ts'
import { reputationRegistryAbi } from '../contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { tokenLaunchpadAbi } from '../contracts/artifacts/TokenLaunchpad.ts'
import { validationRegistryAbi } from '../contracts/artifacts/ValidationRegistry.ts'
import { permitProxyAbi } from './permittedTransfers.ts'
import type { HirePath, Registrar } from './policy.ts'
import { permitProxy, uptoProxy } from './proxies.ts'
import type { Permission } from './signerPolicy.ts'
import { uptoProxyAbi } from './uptoTransfers.ts'
import { transferSelector } from './withdrawing.ts'

const escrowFunction = (name: ContractFunctionName<typeof jobEscrowAbi>) =>
  toFunctionSelector(getAbiItem({ abi: jobEscrowAbi, name }))

const usdcFunction = (name: ContractFunctionName<typeof testUsdcAbi>) =>
  toFunctionSelector(getAbiItem({ abi: testUsdcAbi, name }))

type PermissionOptions = {
  addresses: Chain['addresses']
  /** Tokens that owners take out of their wallets. */
  others?: readonly OtherToken[]
  evaluator: Address
  faucet: boolean
  hirePath?: HirePath
  registrar?: Registrar
  /** Whether payments are signed for Permit2, and settled on a token without signed authorizations. */
  takesPermits?: boolean
  /** The same in the scheme `upto`, on every token. */
  takesUpto?: boolean
}

/**
 * Everything that custodial wallets sign for a chain. Anyone may claim an expired job's refund, and it always goes to the
 * client, so every custodial wallet may claim it.
 */
export const toPermissions = ({
  addresses: { escrow, usdc, registry, reputation, validation, launchpad, wrappedCoin },
  others = [],
  evaluator,
  faucet,
  hirePath = 'authorization',
  registrar = 'treasury',
  takesPermits = false,
  takesUpto = false,
}: PermissionOptions): Permission[] => [
  ...(hirePath === 'authorization'
    ? [{ role: 'user' as const, contract: escrow, selector: escrowFunction('createAndFundWithAuthorization') }]
    : [{ role: 'user' as const, contract: escrow, selector: escrowFunction('createAndFund') }, approveOnly(usdc, escrow)]),
  { role: 'agent', contract: escrow, selector: escrowFunction('submit') },
  { role: 'evaluator', contract: escrow, selector: escrowFunction('complete') },
  { role: 'evaluator', contract: escrow, selector: escrowFunction('completeUsed') },
  { role: 'evaluator', contract: escrow, selector: escrowFunction('reject') },
  { role: 'evaluator', contract: escrow, selector: escrowFunction('claimRefund') },
  { role: 'treasury', contract: escrow, selector: escrowFunction('claimRefund') },
  { role: 'user', contract: escrow, selector: escrowFunction('claimRefund') },
  {
    role: 'user',
    contract: reputation,
    selector: toFunctionSelector(getAbiItem({ abi: reputationRegistryAbi, name: 'giveFeedback' })),
  },
  ...(validation ? validationPermissions(validation, evaluator) : []),
  ...[usdc, ...others.map(it => it.address)].flatMap(contract =>
    (['user', 'agent'] as const).map(role => ({ role, contract, selector: transferSelector })),
  ),
  ...(hirePath === 'authorization'
    ? transferSelectors.map(selector => ({ role: 'treasury' as const, contract: usdc, selector }))
    : []),
  ...(takesPermits || takesUpto ? [approveOnly(usdc, permit2Address)] : []),
  ...(takesPermits && hirePath === 'allowance'
    ? [{ role: 'treasury' as const, contract: permitProxy, selector: settleSelector }]
    : []),
  ...(takesUpto ? [{ role: 'treasury' as const, contract: uptoProxy, selector: takeSelector }] : []),
  { role: registrar, contract: registry, selector: registrationSelectors[registrar] },
  ...(faucet ? [mint(usdc)] : []),
  ...(launchpad ? tokenPermissions({ launchpad, usdc, wrappedCoin }) : []),
]

/** Wallets of agents request validations by the evaluator alone, and the evaluator responds. */
const validationPermissions = (contract: Address, evaluator: Address): Permission[] => {
  const selectorOf = (name: 'validationRequest' | 'validationResponse') =>
    toFunctionSelector(getAbiItem({ abi: validationRegistryAbi, name }))
  return [
    { role: 'agent', contract, selector: concat([selectorOf('validationRequest'), pad(evaluator)]) },
    { role: 'evaluator', contract, selector: selectorOf('validationResponse') },
  ]
}

type TokenContracts = { launchpad: Address; usdc: Address; wrappedCoin: Address | undefined }

/** Users trade, and the wallet of an agent launches its token. Anyone may pay out fees. */
const tokenPermissions = ({ launchpad, usdc, wrappedCoin }: TokenContracts): Permission[] => {
  const ofLaunchpad = (role: WalletRole, name: ContractFunctionName<typeof tokenLaunchpadAbi>): Permission => ({
    role,
    contract: launchpad,
    selector: toFunctionSelector(getAbiItem({ abi: tokenLaunchpadAbi, name })),
  })
  return [
    ofLaunchpad('agent', 'launch'),
    ...(['buy', 'buyWithAuthorization', 'sell', 'sellForCoin'] as const).map(name => ofLaunchpad('user', name)),
    { ...ofLaunchpad('user', 'buyWithCoin'), paysCoin: true },
    ofLaunchpad('agent', 'payCreatorFees'),
    ...withdrawals,
    approveOnly(usdc, launchpad),
    ...(wrappedCoin ? [approveOnly(wrappedCoin, launchpad)] : []),
  ]
}

/**
 * Wallets send tokens of agents, coin and wrapped coin to their owners. The addresses of tokens are not known here: the check of
 * each signature compares contract, recipient and amount with the stored request.
 */
const withdrawals: Permission[] = (['user', 'agent'] as const).flatMap(role => [
  { role, contract: 'any' as const, selector: transferSelector },
  { role, contract: 'any' as const, selector: '0x' as const },
])

/** Settlements of x402 payments. Such a transfer moves only the amount that its payer signed, never the treasury's money. */
const transferSelectors = [
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
].map(signature => toFunctionSelector(signature))

/** The same for payments signed for Permit2. */
const settleSelector = toFunctionSelector(getAbiItem({ abi: permitProxyAbi, name: 'settle' }))

/** The same in the scheme `upto`. The treasury takes at most what a payer signed. */
const takeSelector = toFunctionSelector(getAbiItem({ abi: uptoProxyAbi, name: 'settle' }))

/** `registerFor` names owner and wallet; `register` makes its sender both (ERC-8004). */
export const registrationSelectors = {
  treasury: toFunctionSelector(getAbiItem({ abi: agentRegistryAbi, name: 'registerFor' })),
  agent: toFunctionSelector('register(string,(string,bytes)[])'),
} as const satisfies Record<Registrar, Hex>

/** Allows approvals for one spender only. */
const approveOnly = (usdc: Address, spender: Address): Permission => ({
  role: 'user',
  contract: usdc,
  selector: concat([usdcFunction('approve'), pad(spender)]),
})

const mint = (usdc: Address): Permission => ({
  role: 'treasury',
  contract: usdc,
  selector: usdcFunction('mint'),
})
