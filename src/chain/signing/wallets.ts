import { hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Address, hex } from '../../domain/hex.ts'
import type { Tables, WalletRole, Wallets } from '../../ports.ts'
import { lower } from '../rpc/checksum.ts'
import type { Grant } from './clientGate.ts'
import type { KmsKeys } from './kms/keys.ts'
import { type KeyAccount, recorded } from './recording.ts'
import type { Sealer } from './secrets.ts'

/** A custodial key in use: whose it is decides what it may sign. */
type Holder = { address: Address; role: WalletRole; account: KeyAccount }

/** The port, and for this folder alone the way to the keys behind it. */
export type Custody = Wallets & {
  /**
   * The key of a custodial address; every signature is written down before it is made, with what granted it. Throws when the address is not one of ours; SealError when it cannot be opened.
   */
  holder(address: Address, grant?: Grant): Promise<Holder>
}

/** Opened keys kept in memory; a signature needs one within a millisecond, and a thousand are 100 kB. */
const openKeys = 1_000

/** Custodial wallets: random secp256k1 keys, sealed at rest and bound to their address. */
export const createWallets = (deps: {
  store: Pick<Tables, 'wallet' | 'walletByAddress' | 'addWallet' | 'recordSignature'>
  sealer: Sealer
  /** Where the keys of some of the platform's own wallets are, when they are not here. */
  kms?: KmsKeys | undefined
}): Custody => {
  const { store, sealer, kms } = deps
  const holders = new Map<Address, Holder>()

  const remember = (holder: Holder) => {
    const [oldest] = holders.keys()
    if (oldest !== undefined && holders.size >= openKeys) holders.delete(oldest)
    holders.set(holder.address, holder)
    return holder
  }

  const openWallet = async (address: Address): Promise<Holder> => {
    const wallet = await store.walletByAddress(address)
    if (!wallet) throw new Error(`${address} is no custodial wallet`)
    const outside = await kms?.open(wallet.sealedKey)
    const account = outside ?? privateKeyToAccount(hex.parse(sealer.open(wallet.sealedKey, address)))
    if (lower(account.address) !== address) throw new Error(`the key of ${address} is the key of another wallet`)
    return { address, role: wallet.role, account }
  }

  const holder: Custody['holder'] = async (address, grant) => {
    const open = holders.get(address) ?? remember(await openWallet(address))
    return { ...open, account: recorded(store, { ...open, grant }) }
  }

  return {
    async ensure(role, owner) {
      const known = await store.wallet(role, owner)
      if (known) return known.address
      const kept = owner === '' ? await kms?.keyOf(role) : undefined
      if (kept) return (await store.addWallet({ address: kept.address, role, owner, sealedKey: kept.kept })).address
      const key = generatePrivateKey()
      const address = lower(privateKeyToAccount(key).address)
      // Two callers may both make a key; the insert says which one stands.
      const standing = await store.addWallet({ address, role, owner, sealedKey: sealer.seal(key, address) })
      return standing.address
    },

    holder,

    signText: async (address, text) => (await holder(address)).account.signMessage({ message: text }),

    async signTypedData(address, typed) {
      try {
        hashTypedData(typed)
      } catch {
        // Its types and its values do not fit together, in one of the many ways there are.
        return undefined
      }
      return (await holder(address)).account.signTypedData(typed)
    },
  }
}
