import { hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Address, hex } from '../../domain/hex.ts'
import type { Tables, WalletRole, Wallets } from '../../ports.ts'
import { lower } from '../rpc/checksum.ts'
import type { Grant } from './clientGate.ts'
import type { KmsKeys } from './kms/keys.ts'
import { type KeyAccount, recorded } from './recording.ts'
import type { Sealer } from './secrets.ts'

type Holder = { address: Address; role: WalletRole; account: KeyAccount }

/** The Wallets port, extended for this folder with access to the keys. */
export type Custody = Wallets & {
  /**
   * The key of a custodial address. Every signature is recorded with its grant before it is made.
   * @throws Error when the address is not custodial
   * @throws SealError when the key cannot be decrypted
   */
  holder(address: Address, grant?: Grant): Promise<Holder>
}

/** Decrypted keys and addresses that are cached, because a signature needs its key within a millisecond. A thousand keys use 100 kB. */
const openKeys = 1_000

type WalletsDeps = {
  store: Pick<Tables, 'wallet' | 'walletByAddress' | 'addWallet' | 'recordSignature'>
  sealer: Sealer
  /** The KMS with the keys of some platform wallets. */
  kms?: KmsKeys | undefined
}

const openWallet = async ({ store, sealer, kms }: WalletsDeps, address: Address): Promise<Holder> => {
  const wallet = await store.walletByAddress(address)
  if (!wallet) throw new Error(`${address} is not a custodial wallet`)
  const outside = await kms?.open(wallet.sealedKey)
  const account = outside ?? privateKeyToAccount(hex.parse(sealer.open(wallet.sealedKey, address)))
  if (lower(account.address) !== address) throw new Error(`the stored key of ${address} belongs to another wallet`)
  return { address, role: wallet.role, account }
}

/** Custodial wallets: random secp256k1 keys, sealed at rest and bound to their address. */
export const createWallets = (deps: WalletsDeps): Custody => {
  const { store, sealer, kms } = deps
  const holders = new Map<Address, Holder>()
  // A wallet of an owner stays theirs.
  const addresses = new Map<string, Address>()

  const remember = <K, T>(kept: Map<K, T>, key: K, value: T): T => {
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= openKeys) kept.delete(oldest)
    kept.set(key, value)
    return value
  }

  const generate = () => {
    const key = generatePrivateKey()
    const address = lower(privateKeyToAccount(key).address)
    return { address, sealedKey: sealer.seal(key, address) }
  }

  const find = async (role: WalletRole, owner: string): Promise<{ address: Address }> => {
    const known = await store.wallet(role, owner)
    if (known) return known
    const kept = owner === '' ? await kms?.keyOf(role) : undefined
    if (kept) return store.addWallet({ address: kept.address, role, owner, sealedKey: kept.kept })
    // Two callers may both generate a key. The insert decides which one is kept.
    return store.addWallet({ ...generate(), role, owner })
  }

  const holder: Custody['holder'] = async (address, grant) => {
    const open = holders.get(address) ?? remember(holders, address, await openWallet(deps, address))
    return { ...open, account: recorded(store, { ...open, grant }) }
  }

  return {
    async create() {
      const { address, sealedKey } = generate()
      await store.addWallet({ address, role: 'user', owner: address, sealedKey })
      return address
    },

    async ensure(role, owner) {
      const key = `${role}:${owner}`
      return addresses.get(key) ?? remember(addresses, key, (await find(role, owner)).address)
    },

    holder,

    signText: async (address, text) => (await holder(address)).account.signMessage({ message: text }),

    async signTypedData(address, typed) {
      try {
        hashTypedData(typed)
      } catch {
        // viem throws many kinds of error when types and values do not match.
        return undefined
      }
      return (await holder(address)).account.signTypedData(typed)
    },
  }
}
