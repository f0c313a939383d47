/** Fixed texts that existing clients send byte for byte; both sides of the wire read them here. */

/** What a wallet signs (EIP-191) to register an agent in key mode (specification, Authentication). */
export const registrationMessage = 'Create an AIP agent'
