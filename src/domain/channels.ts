/** Wakes the waiters of every channel, because wake-ups of other processes may have been missed. */
export const everyChannel = '*'

const accessPrefix = 'access:'
/** The polling mode or the secret of an agent, by its key, changed. */
export const toAccessChannel = (agentKey: string): string => `${accessPrefix}${agentKey}`
/** The agent whose access changed; undefined for another channel. */
export const agentOfAccess = (channel: string): string | undefined =>
  channel.startsWith(accessPrefix) ? channel.slice(accessPrefix.length) : undefined

/** A token or a wallet's tokens were revoked. */
export const revocationChannel = 'revocations'

/** A key that signs tokens was added. */
export const tokenKeyChannel = 'token-keys'
