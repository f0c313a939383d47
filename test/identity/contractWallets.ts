import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  concat,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  hashMessage,
  pad,
  parseAbi,
  parseAbiParameters,
  parseSignature,
  serializeErc6492Signature,
  zeroAddress,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { z } from 'zod'
import { createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import { mineBlock } from '../../src/chain/embedded/devnode/mining.ts'
import { lower } from '../../src/chain/rpc/checksum.ts'
import { type Address, type Hex, hex } from '../../src/domain/hex.ts'
import { compileSources } from '../contracts/compileOnce.ts'
import { lookForChain } from '../faults/embedded.ts'
import type { TestService } from '../service.ts'
import { freshAccount } from './wallets.ts'

/** A wallet that is a contract, as its user's program signs for it. */
export type ContractWallet = { address: Address; sign(message: string, chainId?: number): Promise<Hex> }

const sender = '0x00000000000000000000000000000000000000aa'
const mined = z.object({ status: z.literal('0x1'), contractAddress: hex.nullable() })
export const chainId = 97

/** Sends transactions on the embedded chain of a service, from an address of the test. */
export const openChain = async (market: TestService) => {
  const rpc = createAsk(lookForChain(market.dir).rpcUrl)
  await rpc('anvil_setBalance', sender, '0xde0b6b3a7640000')
  await rpc('anvil_impersonateAccount', sender)
  const send = async (data: Hex, to?: Address) => {
    const hash = await rpc('eth_sendTransaction', { from: sender, data, gas: '0x989680', ...(to && { to }) })
    await mineBlock(rpc)
    const { contractAddress } = mined.parse(await rpc('eth_getTransactionReceipt', hash))
    return lower(contractAddress ?? zeroAddress)
  }
  const setCode = (address: Address, code: Hex) => rpc('anvil_setCode', address, code)
  /** Makes an address with the given code. */
  const place = async (code: Hex): Promise<Address> => {
    const address = lower(freshAccount().address)
    await setCode(address, code)
    return address
  }
  return { send, place, setCode }
}
export type TestChain = Awaited<ReturnType<typeof openChain>>

const require = createRequire(import.meta.url)
const artifact = z.object({ bytecode: hex })
const readSafe = async (path: string): Promise<Hex> => {
  const place = require.resolve(`@safe-global/safe-smart-account/build/artifacts/contracts/${path}`)
  return artifact.parse(JSON.parse(await readFile(place, 'utf8'))).bytecode
}

const safeAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address handler, address token, uint256 payment, address receiver)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address)',
  'function proxyCreationCode() view returns (bytes)',
])

/** A Safe of two owners who both sign. */
export const deploySafe = async ({ send }: TestChain): Promise<ContractWallet> => {
  const [singleton, handler, proxyCode] = await Promise.all([
    readSafe('Safe.sol/Safe.json'),
    readSafe('handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json'),
    readSafe('proxies/SafeProxy.sol/SafeProxy.json'),
  ])
  const singletonAt = await send(singleton)
  const handlerAt = await send(handler)
  const address = await send(concat([proxyCode, pad(singletonAt)]))
  const owners = [freshAccount(), freshAccount()].toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  const args = [owners.map(it => it.address), 2n, zeroAddress, '0x', handlerAt, zeroAddress, 0n, zeroAddress] as const
  await send(encodeFunctionData({ abi: safeAbi, functionName: 'setup', args }), address)
  return {
    address,
    async sign(message, of = chainId) {
      const typed = {
        domain: { chainId: of, verifyingContract: address },
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage' as const,
        message: { message: hashMessage(message) },
      }
      return concat(await Promise.all(owners.map(it => it.signTypedData(typed))))
    },
  }
}

const factoryAbi = parseAbi(['function createAccount(address owner, uint256 nonce) returns (address)'])

const compileCoinbaseStyle = async () => {
  const content = await readFile(new URL('CoinbaseStyle.sol', import.meta.url), 'utf8')
  const compiled = (await compileSources({ 'CoinbaseStyle.sol': { content } }))['CoinbaseStyle.sol']
  const codeOf = (name: string): Hex => `0x${compiled?.[name]?.evm.bytecode.object ?? ''}`
  return { wallet: codeOf('CoinbaseStyle'), factory: codeOf('CoinbaseStyleFactory') }
}

const signAsCoinbase = async (owner: PrivateKeyAccount, of: { address: Address; message: string; chainId: number }) => {
  const { r, s, v } = parseSignature(
    await owner.signTypedData({
      domain: { name: 'Coinbase Smart Wallet', version: '1', chainId: of.chainId, verifyingContract: of.address },
      types: { CoinbaseSmartWalletMessage: [{ name: 'hash', type: 'bytes32' }] },
      primaryType: 'CoinbaseSmartWalletMessage',
      message: { hash: hashMessage(of.message) },
    }),
  )
  const inner = encodeAbiParameters(parseAbiParameters('bytes32, bytes32, uint8'), [r, s, Number(v)])
  return encodeAbiParameters(parseAbiParameters('(uint256 ownerIndex, bytes signatureData)'), [
    { ownerIndex: 0n, signatureData: inner },
  ])
}

/** Two wallets that sign as Coinbase Smart Wallet does: one on the chain, and one whose factory was never called. */
export const coinbaseStyle = async ({ send }: TestChain): Promise<{ deployed: ContractWallet; undeployed: ContractWallet }> => {
  const { wallet, factory } = await compileCoinbaseStyle()
  const abi = parseAbi(['constructor(address owner)'])
  const [owner, other] = [freshAccount(), freshAccount()]
  const factoryAt = await send(factory)
  const address = await send(encodeDeployData({ abi, bytecode: wallet, args: [owner.address] }))
  const bytecode = encodeDeployData({ abi, bytecode: wallet, args: [other.address] })
  const future = lower(getContractAddress({ opcode: 'CREATE2', from: factoryAt, bytecode, salt: pad('0x07') }))
  const data = encodeFunctionData({ abi: factoryAbi, functionName: 'createAccount', args: [other.address, 7n] })
  return {
    deployed: { address, sign: (message, of = chainId) => signAsCoinbase(owner, { address, message, chainId: of }) },
    undeployed: {
      address: future,
      sign: async (message, of = chainId) => {
        const signature = await signAsCoinbase(other, { address: future, message, chainId: of })
        return serializeErc6492Signature({ address: factoryAt, data, signature })
      },
    },
  }
}
