import { type Address, getContract, type Hex, type LocalAccount, parseAbi } from 'viem'
import { jobEscrowAbi, jobEscrowBytecode } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { testPermit2Bytecode } from '../../src/chain/contracts/artifacts/TestPermit2.ts'
import type { HireTerms } from './hires.ts'
import { deployCode, type TestContract } from './solidity.ts'
import { feeBps, people, type World } from './world.ts'

/** Permit2 has the same address on every chain. */
export const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

export const tokenAbi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
])

const permit2Errors = parseAbi([
  'error SignatureExpired(uint256 signatureDeadline)',
  'error InvalidNonce()',
  'error InvalidAmount(uint256 maxAmount)',
  'error InvalidSigner()',
  'error InvalidContractSignature()',
])

/** An escrow for a token without signed transfers, and Permit2 with the client's allowance. */
export const startPermitWorld = async (world: World, codeOf: (name: TestContract) => Hex) => {
  const { chain, mined, deploy } = world
  const permit2 = await deployCode(world, testPermit2Bytecode)
  await chain.setCode({ address: permit2Address, bytecode: (await chain.getCode({ address: permit2 })) ?? '0x' })
  const token = getContract({
    address: await deployCode(world, codeOf('PlainUsdc'), people.client.address),
    abi: tokenAbi,
    client: chain,
  })
  const escrow = getContract({
    address: await deploy(jobEscrowAbi, jobEscrowBytecode, [
      token.address,
      people.treasury.address,
      feeBps,
      people.evaluator.address,
    ]),
    abi: [...jobEscrowAbi, ...permit2Errors],
    client: chain,
  })
  await mined(token.write.approve([permit2Address, 2n ** 256n - 1n], { account: people.client }))

  /** Sends a hire with a Permit2 signature from an unrelated wallet. */
  const relay = (terms: HireTerms, deadline: bigint, signature: Hex) =>
    escrow.write.createAndFundWithPermit2([terms, deadline, signature], { account: people.stranger })
  const sign = (terms: HireTerms, deadline: bigint, signer: LocalAccount = people.client) =>
    signPermit(signer, { token: token.address, spender: escrow.address, terms, deadline })
  return { token, escrow, relay, sign }
}

export type PermitWorld = Awaited<ReturnType<typeof startPermitWorld>>

type Permit = { token: Address; spender: Address; terms: HireTerms; deadline: bigint }

/** The client's Permit2 signature, with the terms of the hire as the witness. */
const signPermit = (signer: LocalAccount, { token, spender, terms, deadline }: Permit) =>
  signer.signTypedData({
    domain: { name: 'Permit2', chainId: 97, verifyingContract: permit2Address },
    types: {
      PermitWitnessTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
        { name: 'witness', type: 'HireTerms' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
      HireTerms: [
        { name: 'client', type: 'address' },
        { name: 'provider', type: 'address' },
        { name: 'evaluator', type: 'address' },
        { name: 'expiredAt', type: 'uint256' },
        { name: 'description', type: 'string' },
        { name: 'budget', type: 'uint256' },
        { name: 'salt', type: 'bytes32' },
      ],
    },
    primaryType: 'PermitWitnessTransferFrom',
    message: { permitted: { token, amount: terms.budget }, spender, nonce: BigInt(terms.salt), deadline, witness: terms },
  })
