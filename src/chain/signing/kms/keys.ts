import type { Address } from '../../../domain/hex.ts'
import type { WalletRole } from '../../../ports.ts'
import { lower } from '../../rpc/checksum.ts'
import type { KeyAccount } from '../recording.ts'
import { addressOf, createKmsAccount } from './account.ts'
import { createKms, type KmsOptions } from './client.ts'

/** Roles of the platform itself: they have one wallet each, worth a key of its own. */
export type KmsRole = Extract<WalletRole, 'treasury' | 'evaluator' | 'deployer'>

/** A key service, and which of its keys each role uses; `new` lets it make one. */
export type KmsSettings = KmsOptions & { keys: Partial<Record<KmsRole, string | undefined>> }

/** What stands for a key in the database when the key itself is in the KMS. */
const mark = 'kms:'

export type KmsKeys = {
  /** The address of the key of a role, and what to keep of it; undefined when the role has none here. */
  keyOf(role: WalletRole): Promise<{ address: Address; kept: string } | undefined>
  /** The account behind what was kept; undefined when that is a key of another kind. */
  open(kept: string): Promise<KeyAccount> | undefined
}

export const createKmsKeys = ({ keys, ...options }: KmsSettings): KmsKeys => {
  const kms = createKms(options)
  return {
    async keyOf(role) {
      const chosen = isKmsRole(role) ? keys[role] : undefined
      if (!chosen) return undefined
      const keyId = chosen === 'new' ? await kms.createKey(`agent-marketplace ${role}`) : chosen
      return { address: lower(await addressOf(kms, keyId)), kept: mark + keyId }
    },
    open: kept => (kept.startsWith(mark) ? createKmsAccount(kms, kept.slice(mark.length)) : undefined),
  }
}

const isKmsRole = (role: WalletRole): role is KmsRole => role === 'treasury' || role === 'evaluator' || role === 'deployer'
