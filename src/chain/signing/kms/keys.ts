import type { Address } from '../../../domain/hex.ts'
import type { WalletRole } from '../../../ports.ts'
import { lower } from '../../rpc/checksum.ts'
import type { KeyAccount } from '../recording.ts'
import { addressOf, createKmsAccount } from './account.ts'
import { createKms, type KmsOptions } from './client.ts'

/** Roles of the platform itself. Each has a single wallet, so its key may be a KMS key. */
export type KmsRole = Extract<WalletRole, 'treasury' | 'evaluator' | 'deployer'>

/** A KMS and the key id of each role; `new` creates a key. */
export type KmsSettings = KmsOptions & { keys: Partial<Record<KmsRole, string | undefined>> }

/** Prefix of a KMS key reference in the column that otherwise holds a sealed private key. */
const mark = 'kms:'

export type KmsKeys = {
  /** The address of a role's key and the reference to store; undefined when the role has no KMS key. */
  keyOf(role: WalletRole): Promise<{ address: Address; kept: string } | undefined>
  /** The account behind a stored reference; undefined when it is a sealed key instead. */
  open(kept: string): Promise<KeyAccount> | undefined
}

/** Creates access to keys in a key management service. Only the treasury, the evaluator and the deployer can have one. */
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
