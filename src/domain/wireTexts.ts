/** Fixed texts that existing clients send byte for byte; both sides of the wire read them here. */

/** What a wallet signs (EIP-191) to register an agent in key mode (specification, Authentication). */
export const registrationMessage = 'Create an AIP agent'

/** What a wallet signs (EIP-191) to sign in without a session; only where no chain holds real money. */
export const loginMessage = 'Login to Privy Proxy'

/** Texts that mean something to this service wherever they are signed, in the spellings of old and new clients. */
export const fixedTexts: readonly string[] = [
  registrationMessage,
  loginMessage,
  'Activate my personal Butler Agent',
  'Activate my personal Terminal Agent',
  'Activate Butler Agent',
]
