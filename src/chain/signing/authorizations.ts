import { encodeAbiParameters, encodeFunctionData, keccak256, parseSignature, size, stringToHex } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Address } from '../../domain/hex.ts'
import type { Call, Chain, WalletRole } from '../../ports.ts'
import { agentRegistryAbi } from '../contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi } from '../contracts/artifacts/JobEscrow.ts'
import type { GasCeilings } from '../rpc/gas.ts'
import { hashText } from './calls.ts'
import type { ClientGate, Grant } from './clientGate.ts'
import { SigningRefused } from './signerPolicy.ts'
import { receiveWithAuthorization } from './transferWords.ts'
import type { Custody } from './wallets.ts'

/** Calls that include an EIP-712 signature of a custodial wallet. */
export type Authorizations = Pick<Chain, 'hire' | 'registerAgent'>

export type AuthorizationDeps = {
  chainId: number
  addresses: Chain['addresses']
  evaluator: Address
  gas: GasCeilings
  wallets: Pick<Custody, 'holder'>
  gate: Pick<ClientGate, 'grantHire'>
  /** EIP-712 name and version of the payment token. */
  usdcDomain: () => Promise<{ name: string; version: string }>
}

/** The registry accepts deadlines of at most 300 seconds. The rest of that time is a margin. */
const registrationSeconds = 270

/** Creates the encoders of hires and registrations, which include EIP-712 signatures of custodial wallets. */
export const createAuthorizations = (deps: AuthorizationDeps): Authorizations => {
  const { chainId, addresses, evaluator, gas } = deps

  const accountOf = async (address: Address, role: WalletRole, grant?: Grant) => {
    const holder = await deps.wallets.holder(address, grant)
    if (holder.role !== role) throw new SigningRefused(`${address} is not a wallet of role ${role}`)
    return holder.account
  }

  return {
    async hire(agreed) {
      const { jobId, client, provider, budget, expiresAt } = agreed
      const expiredAt = BigInt(Math.floor(expiresAt / 1_000))
      const terms = { client, provider, evaluator, expiredAt, description: jobId, budget, salt: hashText(jobId) }
      const account = await accountOf(client, 'user', await deps.gate.grantHire(agreed))
      const signature = await account.signTypedData({
        domain: { ...(await deps.usdcDomain()), chainId, verifyingContract: addresses.usdc },
        types: receiveWithAuthorization,
        primaryType: 'ReceiveWithAuthorization',
        message: {
          from: client,
          to: addresses.escrow,
          value: budget,
          validAfter: 0n,
          validBefore: expiredAt,
          nonce: hireNonce(terms, chainId, addresses.escrow),
        },
      })
      const { r, s, yParity } = parseSignature(signature)
      const data = encodeFunctionData({
        abi: jobEscrowAbi,
        functionName: 'createAndFundWithAuthorization',
        args: [terms, expiredAt, 27 + yParity, r, s],
      })
      return { to: addresses.escrow, data, value: 0n, gas: gas.hire } satisfies Call
    },

    async registerAgent({ owner, wallet, uri }) {
      const account = await accountOf(wallet, 'agent')
      const deadline = BigInt(Math.floor(Date.now() / 1_000) + registrationSeconds)
      const signature = await account.signTypedData({
        domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId, verifyingContract: addresses.registry },
        types: agentRegistration,
        primaryType: 'AgentRegistration',
        message: { owner, agentURI: uri, agentWallet: wallet, deadline },
      })
      const data = encodeFunctionData({
        abi: agentRegistryAbi,
        functionName: 'registerFor',
        args: [owner, uri, wallet, deadline, signature],
      })
      const ceiling = gas.registerAgent + gas.registerAgentByte * BigInt(size(stringToHex(uri)))
      return { to: addresses.registry, data, value: 0n, gas: ceiling } satisfies Call
    },
  }
}

// The same value as the escrow's hireNonce: a hash of the terms, this chain and this contract.
export const hireNonce = (terms: HireTuple, chainId: number, escrow: Address) =>
  keccak256(encodeAbiParameters([...hireTerms, { type: 'uint256' }, { type: 'address' }], [terms, BigInt(chainId), escrow]))

const hireTerms = getAbiItem({ abi: jobEscrowAbi, name: 'hireNonce' }).inputs
type HireTuple = Parameters<typeof encodeAbiParameters<typeof hireTerms>>[1][0]

const agentRegistration = {
  AgentRegistration: [
    { name: 'owner', type: 'address' },
    { name: 'agentURI', type: 'string' },
    { name: 'agentWallet', type: 'address' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const
