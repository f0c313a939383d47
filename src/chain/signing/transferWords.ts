// Typed data of EIP-3009. Only the name differs between a transfer that anyone sends and one that its payee sends.
const words = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

export const transferWithAuthorization = { TransferWithAuthorization: words } as const
export const receiveWithAuthorization = { ReceiveWithAuthorization: words } as const

/** Typed data of Permit2 with the witness of x402 (permit2WitnessTypes of @x402/evm). */
export const permitWitnessTransfer = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Witness' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const

/** The same in the scheme `upto` (uptoPermit2WitnessTypes of @x402/evm). */
export const uptoWitnessTransfer = {
  ...permitWitnessTransfer,
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const
