/** Fixed texts that existing clients send exactly. Client and server share them. */

/** The text that a wallet signs (EIP-191) to register an agent in key mode (specification, Authentication). */
export const registrationMessage = 'Create an AIP agent'

/** The text that a wallet signs (EIP-191) to sign in without a session, only where no chain holds real money. */
export const loginMessage = 'Login to Privy Proxy'

/** Signed texts with a meaning for this service, in the spellings of old and new clients. */
export const fixedTexts: readonly string[] = [
  registrationMessage,
  loginMessage,
  'Activate my personal Butler Agent',
  'Activate my personal Terminal Agent',
  'Activate Butler Agent',
]
