/** Wakes the waiters of every channel, because wake-ups of other processes may have been missed. */
export const everyChannel = '*'

/** An agent's polling mode or a secret changed. */
export const accessChannel = 'access'

/** A token or a wallet's tokens were revoked. */
export const revocationChannel = 'revocations'

/** A key that signs tokens was added. */
export const tokenKeyChannel = 'token-keys'
