import { type Hex as Bytes, encodeFunctionData, keccak256, parseAbi, parseGwei, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount } from 'viem/accounts'
import { z } from 'zod'
import { testUsdcAbi } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import { uptoProxy } from '../../src/chain/signing/proxies.ts'
import { transferWithAuthorization } from '../../src/chain/signing/transferWords.ts'
import { uptoProxyAbi } from '../../src/chain/signing/uptoTransfers.ts'
import { type Address, address } from '../../src/domain/hex.ts'
import type { Authorization } from '../../src/domain/x402/x402.ts'

/** The node as it is reached now, and its USDC. */
export type NodePlace = { rpcUrl: string; usdc: string }

const cancelAuthorization = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
const cancelAbi = parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)'])

const failed = z.object({ status: z.literal('0x0') })

const chainId = 97
const validS = 300
const ether = 10n ** 18n
const gas = 200_000n

export const lower = (text: string): Address => address.parse(text.toLowerCase())

type Paid = Pick<Authorization, 'to' | 'value'> & Partial<Authorization>

/** Somebody with a key and a node, who signs transfers of USDC and sends transactions without the service. */
export const openOutsider = (account: PrivateKeyAccount, place: () => NodePlace) => {
  const domain = () => ({ name: 'USD Coin', version: '1', chainId, verifyingContract: lower(place().usdc) }) as const
  const sent: { raw: Bytes; data: Bytes; to: Address }[] = []
  const fund = async () => {
    const ask = createAsk(place().rpcUrl)
    await ask('anvil_setBalance', account.address, toHex(ether))
    return ask
  }
  /** Sends a call, by default of the token, in a block of its own. */
  const send = async (data: Bytes, to = lower(place().usdc)): Promise<Bytes> => {
    const ask = await fund()
    const nonce = Number(await ask('eth_getTransactionCount', account.address, 'pending'))
    const fees = { maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: parseGwei('2') }
    const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, gas, ...fees })
    await ask('eth_sendRawTransaction', raw)
    sent.push({ raw, data, to })
    await ask('evm_mine')
    return keccak256(raw)
  }
  /** Signs a transfer, valid for five minutes, with a new nonce unless one is given. */
  const sign = async (of: Paid): Promise<Authorization> => {
    const validBefore = BigInt(Math.floor(Date.now() / 1_000) + validS)
    const message = { from: lower(account.address), validAfter: 0n, validBefore, nonce: generatePrivateKey(), ...of }
    const typed = { types: transferWithAuthorization, primaryType: 'TransferWithAuthorization' } as const
    const signature = await account.signTypedData({ domain: domain(), ...typed, message })
    return { ...message, signature }
  }
  return {
    wallet: lower(account.address),
    sign,
    /** Sends a signed transfer, whoever signed it. */
    sendTransfer: ({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization) =>
      send(
        encodeFunctionData({
          ...{ abi: testUsdcAbi, functionName: 'transferWithAuthorization' },
          args: [from, to, value, validAfter, validBefore, nonce, signature],
        }),
      ),
    /** Takes a part of a payment in the scheme `upto`, which names this wallet as its facilitator. */
    take({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization, part: bigint) {
      const permitted = { token: lower(place().usdc), amount: value }
      const permit = { permitted, nonce: BigInt(nonce), deadline: validBefore }
      const args = [permit, part, from, { to, facilitator: account.address, validAfter }, signature] as const
      return send(encodeFunctionData({ abi: uptoProxyAbi, functionName: 'settle', args }), uptoProxy)
    },
    /** Takes a signed transfer back. */
    async cancel({ nonce }: Authorization) {
      const message = { authorizer: account.address, nonce }
      const typed = { types: cancelAuthorization, primaryType: 'CancelAuthorization' } as const
      const signature = await account.signTypedData({ domain: domain(), ...typed, message })
      const args = [account.address, nonce, signature] as const
      return send(encodeFunctionData({ abi: cancelAbi, functionName: 'cancelAuthorization', args }))
    },
    /** Sends what the node does not have again, in the same order, and anew what came too early after that. */
    async sendAgain() {
      const ask = createAsk(place().rpcUrl)
      const receipts = await Promise.all(sent.map(it => ask('eth_getTransactionReceipt', keccak256(it.raw))))
      const lost = sent.filter((_, at) => receipts[at] === null)
      if (lost.length > 0) {
        await fund()
        for (const { raw } of lost) await ask('eth_sendRawTransaction', raw).catch(() => undefined)
        await ask('evm_mine')
      }
      for (const it of sent.filter((_, at) => failed.safeParse(receipts[at]).success)) {
        const isPossible = ask('eth_call', { from: account.address, to: it.to, data: it.data }, 'latest').then(
          () => true,
          () => false,
        )
        if (!(await isPossible)) continue
        sent.splice(sent.indexOf(it), 1)
        await send(it.data, it.to)
      }
    },
  }
}

export type Outsider = ReturnType<typeof openOutsider>
