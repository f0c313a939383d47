import {
  PERMIT2_ADDRESS,
  permit2WitnessTypes,
  x402ExactPermit2ProxyABI,
  x402ExactPermit2ProxyAddress,
  x402UptoPermit2ProxyAddress,
} from '@x402/evm'
import { concat, type LocalAccount, pad, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { testPermit2Bytecode } from '../../../src/chain/contracts/artifacts/TestPermit2.ts'
import { testUptoProxyBytecode } from '../../../src/chain/contracts/artifacts/TestUptoProxy.ts'
import type { Address, Hex } from '../../../src/domain/hex.ts'
import { toHeader } from '../../../src/domain/x402/x402.ts'
import type { Outside } from '../../../src/world.ts'
import { startExternal } from '../../chain/external.ts'
import { readStandins } from '../../chain/standins/compiled.ts'
import { compileTestContracts } from '../../contracts/solidity.ts'
import { people } from '../../contracts/world.ts'
import { startTestService } from '../../service.ts'
import { createStockBuyer } from './stockBuyer.ts'

const tokenAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
])

const permit2Abi = parseAbi(['function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)'])

/** The terms that a payer signs for Permit2. */
export type Permit = {
  from: Address
  permitted: { token: Address; amount: bigint }
  spender: Address
  nonce: bigint
  deadline: bigint
  witness: { to: Address; validAfter: bigint }
}
export type SignedPermit = { permit: Permit; signature: Hex }

/**
 * A service on a node whose USDC has no signed transfers, unless `isSigned`. Permit2 and the proxy of x402 have their published
 * addresses.
 */
export const startPermitMarket = async (wrap: (outside: Outside) => Outside = it => it, isSigned = false) => {
  const [external, standin, codeOf] = await Promise.all([startExternal(), readStandins(['Tokens.sol']), compileTestContracts()])
  const { client, mined } = external
  const place = async (address: Address, creation: Hex) => {
    const { contractAddress } = await mined(client.sendTransaction({ data: creation, account: people.deployer }))
    await client.setCode({ address, bytecode: (contractAddress && (await client.getCode({ address: contractAddress }))) || '0x' })
  }
  const placeProxy = () => place(x402ExactPermit2ProxyAddress, concat([codeOf('ExactPermit2Proxy'), pad(PERMIT2_ADDRESS)]))
  await place(PERMIT2_ADDRESS, testPermit2Bytecode)
  await placeProxy()
  const placeUptoProxy = () => place(x402UptoPermit2ProxyAddress, testUptoProxyBytecode)
  await placeUptoProxy()
  const usdc = isSigned ? await external.deployUsdc(18) : await external.deploy(standin('PlainToken'))
  const escrow = await external.deployEscrow(usdc, { treasury: people.treasury.address, feeBps: 0 })
  const registry = await external.deployRegistry(people.treasury.address)
  const env = {
    LOCAL_WORLD: 'true',
    RPC_URL_97: external.url,
    ESCROW_97: escrow,
    USDC_97: usdc,
    REGISTRY_97: registry,
    CONFIRMATIONS_97: '0',
    ALLOW_PRIVATE_ENDPOINTS: 'true',
  }
  const market = await startTestService({ wrap, env: { ...env, LOG_LEVEL: 'silent' } })
  const treasury = await market.service.world.deps.wallets.ensure('treasury', '')
  await client.setBalance({ address: treasury, value: parseEther('10') })
  const token = { address: usdc, abi: tokenAbi } as const

  /** A payer with 10 USDC in a wallet of its own, and a standard x402 client. */
  const payer = async (approved: bigint) => {
    const account = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: account.address, value: parseEther('1') })
    const args = [account.address, parseEther('10')] as const
    await mined(client.writeContract({ ...token, functionName: 'mint', args, account: people.deployer }))
    const approve = (amount: bigint) =>
      mined(client.writeContract({ ...token, functionName: 'approve', args: [PERMIT2_ADDRESS, amount], account }))
    if (approved > 0n) await approve(approved)
    const stock = createStockBuyer(market.url, { account, asset: usdc, maxAmount: parseEther('1').toString() })
    return {
      account,
      approve,
      ...stock,
      /** Signs a payment by hand, valid for five minutes, with a new nonce. */
      async sign(of: Pick<Permit, 'witness'> & Partial<Permit>): Promise<SignedPermit> {
        const { from, ...message } = {
          from: account.address,
          permitted: { token: usdc, amount: parseEther('0.5') },
          spender: x402ExactPermit2ProxyAddress,
          nonce: BigInt(generatePrivateKey()),
          deadline: BigInt(Math.floor(Date.now() / 1_000) + 300),
          ...of,
        }
        const signature = await account.signTypedData({
          domain: { name: 'Permit2', chainId: 97, verifyingContract: PERMIT2_ADDRESS },
          types: permit2WitnessTypes,
          primaryType: 'PermitWitnessTransferFrom',
          message,
        })
        return { permit: { from, ...message }, signature }
      },
      move: (to: Address, amount: bigint) =>
        mined(client.writeContract({ ...token, functionName: 'transfer', args: [to, amount], account })),
    }
  }

  return {
    market,
    client,
    mined,
    usdc,
    payer,
    placeProxy,
    placeUptoProxy,
    deploy: external.deploy,
    fund: (to: Address, amount: bigint) =>
      mined(client.writeContract({ ...token, functionName: 'mint', args: [to, amount], account: people.deployer })),
    allowance: (owner: Address) => client.readContract({ ...token, functionName: 'allowance', args: [owner, PERMIT2_ADDRESS] }),
    balanceOf: (of: Address) => client.readContract({ ...token, functionName: 'balanceOf', args: [of] }),
    /** Sends a signed payment as a third party; resolves with its hash when it is mined. */
    async send({ permit: { from, permitted, nonce, deadline, witness }, signature }: SignedPermit) {
      const proxy = { address: x402ExactPermit2ProxyAddress, abi: x402ExactPermit2ProxyABI } as const
      const args = [{ permitted, nonce, deadline }, from, witness, signature] as const
      const sent = client.writeContract({ ...proxy, functionName: 'settle', args, account: people.stranger })
      return (await mined(sent)).transactionHash
    },
    removeUptoProxy: () => client.setCode({ address: x402UptoPermit2ProxyAddress, bytecode: '0x' }),
    removeProxy: () => client.setCode({ address: x402ExactPermit2ProxyAddress, bytecode: '0x' }),
    /** The payer withdraws a nonce. */
    invalidate: (account: LocalAccount, nonce: bigint) =>
      mined(
        client.writeContract({
          ...{ address: PERMIT2_ADDRESS, abi: permit2Abi, functionName: 'invalidateUnorderedNonces', account },
          args: [nonce >> 8n, 1n << (nonce & 255n)],
        }),
      ),
    async stop() {
      await market.stop()
      await external.stop()
    },
  }
}

export type PermitMarket = Awaited<ReturnType<typeof startPermitMarket>>
export type Payer = Awaited<ReturnType<PermitMarket['payer']>>

/** A payment header with a transfer signed for Permit2. */
export const toPermitHeader = ({ permit, signature }: SignedPermit): string => {
  const { from, permitted, spender, nonce, deadline, witness } = permit
  const permit2Authorization = {
    ...{ from, spender, nonce: `${nonce}`, deadline: `${deadline}` },
    permitted: { token: permitted.token, amount: `${permitted.amount}` },
    witness: { to: witness.to, validAfter: `${witness.validAfter}` },
  }
  const accepted = { scheme: 'exact', network: 'eip155:97' }
  return toHeader({ x402Version: 2, accepted, payload: { signature, permit2Authorization } })
}
