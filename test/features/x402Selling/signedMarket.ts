import { encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { testUsdcAbi } from '../../../src/chain/contracts/artifacts/TestUsdc.ts'
import { lower } from '../../../src/chain/rpc/checksum.ts'
import { transferWithAuthorization } from '../../../src/chain/signing/transferWords.ts'
import type { Address } from '../../../src/domain/hex.ts'
import type { Authorization } from '../../../src/domain/x402/x402.ts'
import type { Outside } from '../../../src/world.ts'
import { deployer, type External, startExternal } from '../../chain/external.ts'
import { readStandins } from '../../chain/standins/compiled.ts'
import { people } from '../../contracts/world.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { startTestService } from '../../service.ts'
import { toPaymentHeader } from './buyer.ts'

const bundlerAbi = parseAbi([
  'function run(address target, bytes[] calls)',
  'function pretend(address from, address to, uint256 value, bytes32 nonce)',
])
const loudAbi = parseAbi(['function refuse(bool)'])
const cancelTypes = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export const price = 500_000n

/** The call of the token that makes a signed transfer. */
const toCall = ({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization): Hex =>
  encodeFunctionData({
    abi: testUsdcAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  })

type More = (chain: { external: External }) => Promise<Record<string, string>>

/**
 * A service on a node of its own, whose USDC emits further events with each transfer, and an agent that sells by the call. Payers
 * and third parties send their own transactions.
 * @param more further settings of the service
 */
export const startSignedMarket = async (wrap: (outside: Outside) => Outside = it => it, more: More = async () => ({})) => {
  const [external, standin] = await Promise.all([startExternal(), readStandins(['Payments.sol'])])
  const { client, mined } = external
  const usdc = await external.deploy(standin('LoudUsdc'), [deployer])
  const bundler = await external.deploy(standin('Bundler'))
  const escrow = await external.deployEscrow(usdc, { treasury: people.treasury.address, feeBps: 0 })
  const registry = await external.deployRegistry()
  const chain = { RPC_URL_97: external.url, ESCROW_97: escrow, USDC_97: usdc, REGISTRY_97: registry, CONFIRMATIONS_97: '0' }
  const market = await startTestService({ wrap, env: { ...chain, ...(await more({ external })), LOG_LEVEL: 'silent' } })
  const treasury = await market.service.world.deps.wallets.ensure('treasury', '')
  await client.setBalance({ address: treasury, value: parseEther('10') })
  const poet = await provider(market, plain('0.5'))
  const agentWallet = lower(poet.wallet)
  const token = { address: usdc, abi: testUsdcAbi } as const
  const mint = (to: Address, amount: bigint) =>
    mined(client.writeContract({ ...token, functionName: 'mint', args: [to, amount], account: people.deployer }))
  /** Sends a call as a third party; resolves with its transaction. */
  const send = async (to: Address, data: Hex) =>
    (await mined(client.sendTransaction({ to, data, account: people.stranger }))).transactionHash

  /** A payer with USDC in a wallet of its own. */
  const payer = async (held = 2n * price) => {
    const account = privateKeyToAccount(generatePrivateKey())
    const wallet = lower(account.address)
    await mint(wallet, held)
    const domain = { name: 'USD Coin', version: '1', chainId: 97, verifyingContract: usdc } as const
    return {
      wallet,
      /** Signs a transfer, to the agent and of the price unless it says otherwise. */
      async sign(of: Partial<Authorization> = {}): Promise<Authorization> {
        const validBefore = BigInt(Math.floor(Date.now() / 1_000) + 600)
        const base = { from: wallet, to: agentWallet, value: price, validAfter: 0n, validBefore, nonce: generatePrivateKey() }
        const message = { ...base, ...of }
        const types = { types: transferWithAuthorization, primaryType: 'TransferWithAuthorization' } as const
        return { ...message, signature: await account.signTypedData({ domain, ...types, message }) }
      },
      async cancel(nonce: Hex) {
        const message = { authorizer: wallet, nonce }
        const signature = await account.signTypedData({ domain, types: cancelTypes, primaryType: 'CancelAuthorization', message })
        const args = [wallet, nonce, signature] as const
        return send(usdc, encodeFunctionData({ abi: testUsdcAbi, functionName: 'cancelAuthorization', args }))
      },
    }
  }

  return {
    market,
    client,
    poet,
    agentWallet,
    payer,
    mint,
    held: (of: Address) => client.readContract({ ...token, functionName: 'balanceOf', args: [of] }),
    pay: (it: Authorization) =>
      ask(market, `/x402/agents/${poet.handle}/offerings/plain`, {
        headers: { 'payment-signature': toPaymentHeader(it) },
        body: { message: 'write' },
      }),
    /** Sends signed transfers in one transaction. */
    async send(...transfers: Authorization[]) {
      const [only] = transfers
      if (only && transfers.length === 1) return send(usdc, toCall(only))
      return send(bundler, encodeFunctionData({ abi: bundlerAbi, functionName: 'run', args: [usdc, transfers.map(toCall)] }))
    },
    /** Emits the events of a transfer from a contract that is no token. */
    pretend: ({ from, to, value, nonce }: Authorization) =>
      send(bundler, encodeFunctionData({ abi: bundlerAbi, functionName: 'pretend', args: [from, to, value, nonce] })),
    /** Whether `transfer` of the token refuses without a revert. */
    refuse: (refuses: boolean) =>
      mined(
        client.sendTransaction({
          ...{ to: usdc, account: people.deployer },
          data: encodeFunctionData({ abi: loudAbi, functionName: 'refuse', args: [refuses] }),
        }),
      ),
    async stop() {
      await market.stop()
      await external.stop()
    },
  }
}

export type SignedMarket = Awaited<ReturnType<typeof startSignedMarket>>
