/** What changes who may use the money of an account, or moves it. Its owner is told of each. */
export const accountEventKinds = [
  'address-added',
  'address-removed',
  'withdrawal',
  'passkey-added',
  'passkey-removed',
  'recovered',
  'recovery-code',
  'limit',
  'deposit',
] as const
export type AccountEventKind = (typeof accountEventKinds)[number]
