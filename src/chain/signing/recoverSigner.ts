import { hexToBigInt, recoverMessageAddress, slice } from 'viem'
import { toWallet } from '../../domain/hex.ts'
import type { RecoverSigner } from '../../ports.ts'

// Half the order of secp256k1. A signature with a larger s is the malleable twin of a valid one and is refused (EIP-2).
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Recovers the signer of a text (EIP-191, personal_sign) from 65 bytes r ‖ s ‖ v with v 27/28 or 0/1. */
export const recoverSigner: RecoverSigner = async (message, signature) => {
  if (!/^0x[0-9a-f]{128}(1b|1c|00|01)$/i.test(signature)) return undefined
  if (hexToBigInt(slice(signature, 32, 64)) > halfOrder) return undefined
  try {
    return toWallet(await recoverMessageAddress({ message, signature }))
  } catch {
    // r and s are not on the curve, so there is no signer.
    return undefined
  }
}
