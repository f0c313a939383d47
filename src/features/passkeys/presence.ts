import { parseJson } from '../../domain/json.ts'
import { PasskeyProblem, Problem } from '../../domain/problem.ts'
import type { Presence } from '../../operations/deps.ts'
import { assertion, verifyAssertion } from './answers.ts'
import { makeChallenge } from './challenges.ts'
import { toRequest } from './options.ts'
import { passkeyTables } from './ports.ts'

/**
 * Asks passkeys again for a yes. The challenge contains the digest of the terms, so the signature proves this yes and no other.
 */
export const presence: Presence = {
  hasPasskey: async (user, { store }) => (await passkeyTables(store).passkeysOf(user)).length > 0,

  async demand({ user, operation, digest, terms, answer }, deps) {
    const tables = passkeyTables(deps.store)
    const known = await tables.passkeysOf(user)
    if (known.length === 0) return
    const ids = known.map(it => it.id)
    if (answer === undefined) throw new PasskeyProblem({ ...(await toRequest(deps, makeChallenge(deps, 'yes', digest), ids)) })
    const { passkey, subject } = await verifyAssertion(deps, 'yes', readAnswer(answer))
    if (passkey.wallet !== user || subject !== digest)
      throw new Problem('signature-mismatch', 'Your passkey signed other terms, or is of another account.')
    await tables.addPasskeyProof({
      wallet: user,
      passkeyId: passkey.id,
      publicKey: passkey.publicKey,
      operation,
      digest,
      terms,
      answer,
    })
  },
}

const longestChars = 16_000

const readAnswer = (text: string) => {
  const json = text.length > longestChars ? undefined : parseJson(Buffer.from(text, 'base64url').toString('utf8'))
  const { data } = assertion.safeParse(json)
  if (!data)
    throw new Problem('signature-mismatch', 'The header passkey-answer is the answer of a passkey, as base64url of JSON.')
  return data
}
