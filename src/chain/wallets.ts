import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Address, address as anAddress, hex } from '../domain/hex.ts'
import type { Tables, WalletRole, Wallets } from '../ports.ts'
import type { Sealer } from './secrets.ts'

/** A custodial key in use: whose it is decides what it may sign. */
type Holder = { address: Address; role: WalletRole; account: PrivateKeyAccount }

/** The port, and for this folder alone the way to the keys behind it. */
export type Custody = Wallets & {
  /** The key of a custodial address. Throws when the address is not one of ours; SealError when it cannot be opened. */
  holder(address: Address): Promise<Holder>
}

/** Opened keys kept in memory; a signature needs one within a millisecond, and a thousand are 100 kB. */
const openKeys = 1_000

/** Custodial wallets: random secp256k1 keys, sealed at rest and bound to their address. */
export const createWallets = (deps: {
  store: Pick<Tables, 'wallet' | 'walletByAddress' | 'addWallet'>
  sealer: Sealer
}): Custody => {
  const { store, sealer } = deps
  const holders = new Map<Address, Holder>()

  const remember = (holder: Holder) => {
    const [oldest] = holders.keys()
    if (oldest !== undefined && holders.size >= openKeys) holders.delete(oldest)
    holders.set(holder.address, holder)
    return holder
  }

  return {
    async ensure(role, owner) {
      const known = await store.wallet(role, owner)
      if (known) return known.address
      const key = generatePrivateKey()
      const address = toAddress(privateKeyToAccount(key))
      // Two callers may both make a key; the insert says which one stands.
      const standing = await store.addWallet({ address, role, owner, sealedKey: sealer.seal(key, address) })
      return standing.address
    },

    async holder(address) {
      const open = holders.get(address)
      if (open) return open
      const wallet = await store.walletByAddress(address)
      if (!wallet) throw new Error(`${address} is no custodial wallet`)
      const account = privateKeyToAccount(hex.parse(sealer.open(wallet.sealedKey, address)))
      return remember({ address, role: wallet.role, account })
    },
  }
}

const toAddress = (account: PrivateKeyAccount): Address => anAddress.parse(account.address.toLowerCase())
