import type { PasskeyEntry } from '../../records/passkey.ts'

const key = 'recovered'

/** Keeps in this tab what lets the person add a passkey without another one: after a recovery, or by an e-mailed link. */
export const keepProof = ({ proof }: PasskeyEntry): void => {
  if (proof) sessionStorage.setItem(key, proof)
}

/** The proof, once. */
export const takeProof = (): string | null => {
  const proof = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return proof
}
