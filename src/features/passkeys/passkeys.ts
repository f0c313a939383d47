import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { sha256 } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { operation, userOf } from '../../operations/operation.ts'
import { passkeyName, passkeyRecord } from '../../records/passkey.ts'
import { registration, verifyRegistration } from './answers.ts'
import { spendChallenge } from './challenges.ts'
import { type Passkey, passkeyTables } from './ports.ts'

// Crockford's base 32: no letter looks like a digit.
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 26 digits of five bits: nobody guesses 130 bits, so a plain hash hides the code. */
const digitCount = 26

/** A recovery code, such as `4K7Q-…`, to be shown once; only its hash is stored. */
export const makeRecoveryCode = (): { code: string; hash: string } => {
  const text = Array.from(randomBytes(digitCount), byte => digits[byte % digits.length]).join('')
  return { code: text.replace(/(.{4})(?=.)/g, '$1-'), hash: sha256(text) }
}

/** The hash of a code as a person types it: in any case, with or without its strokes, with O for 0 and I or L for 1. */
export const toRecoveryHash = (typed: string): string =>
  sha256(
    typed
      .toUpperCase()
      .replaceAll(/[^0-9A-Z]/g, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1'),
  )

/** Enough for the devices of a person; a stolen token cannot fill the table. */
const mostPasskeys = 10

const toRecord = ({ id, name, createdAt, usedAt }: Passkey): z.infer<typeof passkeyRecord> => ({
  passkey_id: id,
  name,
  since: toIso(createdAt),
  last_used: toIso(usedAt),
})

export const listPasskeys = operation({
  name: 'listPasskeys',
  summary: 'The passkeys of your account, newest first.',
  input: z.object({}),
  output: z.object({ passkeys: z.array(passkeyRecord) }),

  async run(_input, { store }, caller) {
    return { passkeys: (await passkeyTables(store).passkeysOf(userOf(caller))).map(toRecord) }
  },
})

export const addPasskey = operation({
  name: 'addPasskey',
  summary: 'Add another passkey to your account, for another device.',
  isYes: () => true,
  input: z.object({ answer: registration, name: passkeyName }),
  output: passkeyRecord,

  async run({ answer, name }, deps, caller) {
    const wallet = userOf(caller)
    const { challenge, credential } = await verifyRegistration(deps, 'add', answer)
    if (challenge.subject !== wallet) throw new Problem('signature-mismatch', 'This passkey was made for another account.')
    await spendChallenge(deps, challenge)
    const isAdded = await deps.store.atomically(async store => {
      const isAdded = await passkeyTables(store).addPasskey({ ...credential, wallet, name }, mostPasskeys)
      const text = `The passkey “${name}” was added. If it was not you, remove it.`
      if (isAdded) await store.addAccountEvent({ wallet, kind: 'passkey-added', text })
      return isAdded
    })
    if (!isAdded)
      throw new Problem('too-many-passkeys', `The passkey is known here, or the account has ${mostPasskeys}: remove one first.`)
    const added = await passkeyTables(deps.store).passkey(credential.id)
    if (!added) throw new Problem('not-found', 'The passkey was removed meanwhile.')
    return toRecord(added)
  },
})

export const removePasskey = operation({
  name: 'removePasskey',
  summary: 'Remove a passkey of your account. The last one stays.',
  isYes: () => true,
  asksPasskey: true,
  input: z.object({ passkey_id: z.string().max(1_400) }),
  output: z.object({ removed: z.literal(true) }),

  async run({ passkey_id }, { store }, caller) {
    const wallet = userOf(caller)
    await store.atomically(async tables => {
      if (!(await passkeyTables(tables).removePasskey(passkey_id, wallet)))
        throw new Problem('not-found', 'You have no such passkey, or it is your last one: add another one first.')
      await tables.addAccountEvent({ wallet, kind: 'passkey-removed', text: 'A passkey was removed.' })
    })
    return { removed: true as const }
  },
})

export const renewRecoveryCode = operation({
  name: 'renewRecoveryCode',
  summary: 'Make a new recovery code for your account, in place of the one before.',
  isYes: () => true,
  asksPasskey: true,
  input: z.object({}),
  output: z.object({ recovery_code: z.string() }),

  async run(_input, { store }, caller) {
    const wallet = userOf(caller)
    // Without a passkey nothing asked for the person, and the code would open the account to whoever has a session of it.
    if ((await passkeyTables(store).passkeysOf(wallet)).length === 0)
      throw new Problem('method-not-offered', 'A recovery code is for accounts with a passkey: add one first.')
    const { code, hash } = makeRecoveryCode()
    await store.atomically(async tables => {
      await passkeyTables(tables).keepRecovery(wallet, hash)
      await tables.addAccountEvent({
        wallet,
        kind: 'recovery-code',
        text: 'A new recovery code was made; the one before has ended.',
      })
    })
    return { recovery_code: code }
  },
})
