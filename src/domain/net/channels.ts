/** Wakes the waiters of every channel, because wake-ups of other processes may have been missed. */
export const everyChannel = '*'

const accessPrefix = 'access:'
/** Channel of changes to an agent's polling mode and secret. */
export const toAccessChannel = (agentKey: string): string => `${accessPrefix}${agentKey}`
/** Returns the agent key of an access channel; undefined for a channel of another kind. */
export const agentOfAccess = (channel: string): string | undefined =>
  channel.startsWith(accessPrefix) ? channel.slice(accessPrefix.length) : undefined

/** A token or a wallet's tokens were revoked. */
export const revocationChannel = 'revocations'

export const tokenKeyChannel = 'token-keys'
