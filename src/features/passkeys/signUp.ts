import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { type Deps, operation } from '../../operations/operation.ts'
import { welcome } from '../../operations/wallets/readWallet.ts'
import { passkeyEntry, passkeyName } from '../../records/passkey.ts'
import { assertion, registration, verifyAssertion, verifyRegistration } from './answers.ts'
import { spendChallenge } from './challenges.ts'
import { makeRecovered } from './freshCheck.ts'
import { makeRecoveryCode, toRecoveryHash } from './passkeys.ts'
import { passkeyTables } from './ports.ts'

const session = {
  code: z.string().max(100).optional().describe('A session that a program started, to approve it'),
  hand_over: z.boolean().default(false).describe('Whether that program gets a token of its own'),
}

type Entering = { wallet: Address; code: string | undefined; handOver: boolean }
/** A token for the person, and where a program started the session, its approval. */
export const enter = async (deps: Deps, { wallet, code, handOver }: Entering) => {
  const session = code ?? (await deps.identity.begin()).code
  const approval = { code: session, wallet, signer: wallet, handOver: code !== undefined && handOver }
  const { token, expiresAt } = await deps.identity.approve(approval)
  await welcome(wallet, deps)
  return { token, expires_at: toIso(expiresAt) }
}

export const signUpWithPasskey = operation({
  name: 'signUpWithPasskey',
  summary: 'Make an account with a new passkey. Its wallet is kept by this service. The recovery code is shown once.',
  caller: 'anyone',
  input: z.object({ answer: registration, name: passkeyName, ...session }),
  output: passkeyEntry,

  async run({ answer, name, code, hand_over }, deps, caller) {
    caller.charge?.(limits.registrationWorkMs)
    const create = deps.wallets.create
    if (!create) throw new Problem('method-not-offered')
    const { challenge, credential } = await verifyRegistration(deps, 'sign-up', answer)
    await spendChallenge(deps, challenge)
    const wallet = await create()
    const recovery = makeRecoveryCode()
    await deps.store.atomically(async store => {
      const tables = passkeyTables(store)
      if (!(await tables.addPasskey({ ...credential, wallet, name }, 1))) throw known()
      await tables.keepRecovery(wallet, recovery.hash)
    })
    return { ...(await enter(deps, { wallet, code, handOver: hand_over })), recovery_code: recovery.code }
  },
})

const known = () => new Problem('signature-mismatch', 'This passkey is known here: sign in with it.')

export const signInWithPasskey = operation({
  name: 'signInWithPasskey',
  summary: 'Sign in with a passkey that was made here.',
  caller: 'anyone',
  input: z.object({ answer: assertion, ...session }),
  output: passkeyEntry,

  async run({ answer, code, hand_over }, deps) {
    const { passkey } = await verifyAssertion(deps, 'sign-in', answer)
    return enter(deps, { wallet: passkey.wallet, code, handOver: hand_over })
  },
})

export const recoverAccount = operation({
  name: 'recoverAccount',
  summary: 'Sign in with the recovery code of an account. The answer has the next code; this one is used up.',
  caller: 'anyone',
  input: z.object({ recovery_code: z.string().max(100) }),
  output: passkeyEntry,

  async run({ recovery_code }, deps) {
    const next = makeRecoveryCode()
    const wallet = await passkeyTables(deps.store).useRecovery(toRecoveryHash(recovery_code), next.hash)
    if (!wallet) throw new Problem('signature-mismatch', 'No account has this recovery code, or it was used before.')
    await deps.store.addAccountEvent({ wallet, kind: 'recovered', text: 'Your recovery code was used to sign in.' })
    const entry = await enter(deps, { wallet, code: undefined, handOver: false })
    return { ...entry, recovery_code: next.code, proof: makeRecovered(deps, wallet) }
  },
})
