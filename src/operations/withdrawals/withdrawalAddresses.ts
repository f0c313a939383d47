import { z } from 'zod'
import { chainId } from '../../domain/chains/chains.ts'
import { toIso } from '../../domain/durations.ts'
import { type Address, nobody, toWallet } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { withdrawalDelayMs } from '../../domain/money/withdrawalDelay.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, WithdrawalAddress } from '../../ports.ts'
import { type WithdrawalAddressRecord, withdrawalAddressRecord } from '../../records/withdrawal.ts'
import { chainOf, type Deps, operation, userOf } from '../operation.ts'
import { renamed } from '../renamed.ts'

const nameChars = 40

const toRecord = (it: WithdrawalAddress): WithdrawalAddressRecord => ({
  address_id: it.id,
  ...renamed(it, ['chainId', 'address', 'name']),
  since: toIso(it.createdAt),
  usable_at: toIso(it.usableAt),
})

export const listWithdrawalAddresses = operation({
  name: 'listWithdrawalAddresses',
  summary: 'The outside addresses to which your account withdraws, newest first.',
  scope: 'look',
  input: z.object({}),
  output: z.object({ addresses: z.array(withdrawalAddressRecord) }),

  run: async (_input, { store }, caller) => ({ addresses: (await store.withdrawalAddresses(userOf(caller))).map(toRecord) }),
})

/**
 * Adds an outside address. The passkey signs it, and it waits before anything is sent there, so that a stolen session takes
 * nothing out and its owner has time to act.
 */
export const addWithdrawalAddress = operation({
  name: 'addWithdrawalAddress',
  summary:
    'Add an outside address to which your account may withdraw, with a passkey. It can be used a day later; on a test chain a ' +
    'minute later. For accounts whose only wallet is kept here.',
  isYes: () => true,
  asksPasskey: true,
  input: z.strictObject({
    chain_id: chainId,
    address: z.string().max(50).describe('0x and 40 hex digits; in mixed case its checksum is checked (EIP-55)'),
    name: z.string().trim().min(1).max(nameChars).default('My address').describe('Your name for it'),
  }),
  output: withdrawalAddressRecord,

  async run({ chain_id, address: text, name }, deps, caller) {
    const user = userOf(caller)
    const chain = chainOf(deps, chain_id)
    await checkAccount(deps, user)
    const address = toOutside(deps, { text, chain, user })
    const wanted = { id: deps.ids.fresh('address'), user, chainId: chain_id, address, name, delayMs: withdrawalDelayMs(chain_id) }
    const added = await deps.store.atomically(async tables => {
      const added = await tables.addWithdrawalAddress(wanted, limits.withdrawalAddresses)
      if (typeof added === 'string') return added
      const words = `The withdrawal address ${address} was added on chain ${chain_id}. If it was not you, remove it.`
      await tables.addAccountEvent({ wallet: user, kind: 'address-added', text: words })
      return added
    })
    if (added === 'known') throw new Problem('invalid-input', 'You have this address already.', '/address')
    if (added === 'full') throw new Problem('too-many-addresses', `An account adds ${limits.withdrawalAddresses} in 30 days.`)
    return toRecord(added)
  },
})

/** An account with a wallet of its own withdraws there. Only one that is kept here needs another address. */
const checkAccount = async (deps: Deps, user: Address): Promise<void> => {
  if ((await deps.wallets.ensure('user', user)) !== user)
    throw new Problem('method-not-offered', 'Your withdrawals go to the wallet that you sign in with.')
  if (!(await deps.presence?.hasPasskey(user, deps))) throw new Problem('method-not-offered', 'Add a passkey first.')
}

/** @throws Problem invalid-input */
const toOutside = (deps: Deps, { text, chain, user }: { text: string; chain: Chain; user: Address }): Address => {
  const address = toWallet(text)
  if (!address || !text.startsWith('0x')) throw new Problem('invalid-input', 'An address is 0x and 40 hex digits.', '/address')
  if (deps.isMistyped?.(text))
    throw new Problem('invalid-input', 'The checksum of this address is wrong: a character is. Copy it again.', '/address')
  const ours: (string | undefined)[] = [nobody, user, chain.treasury, chain.evaluator, ...Object.values(chain.addresses)]
  if (ours.includes(address))
    throw new Problem('invalid-input', 'Nobody could use what is sent to this address: it is no wallet of yours.', '/address')
  return address
}

/** Whoever removes an address moves no money, so no passkey is asked. */
export const removeWithdrawalAddress = operation({
  name: 'removeWithdrawalAddress',
  summary: 'Remove a withdrawal address of yours. Nothing more is sent there.',
  isYes: () => true,
  input: z.object({ address_id: z.string().max(100) }),
  output: z.object({ removed: z.literal(true) }),

  async run({ address_id }, { store }, caller) {
    const user = userOf(caller)
    await store.atomically(async tables => {
      const removed = await tables.removeWithdrawalAddress(address_id, user)
      if (!removed) throw new Problem('not-found', 'You have no such withdrawal address.')
      const words = `The withdrawal address ${removed.address} was removed.`
      await tables.addAccountEvent({ wallet: user, kind: 'address-removed', text: words })
    })
    return { removed: true as const }
  },
})
