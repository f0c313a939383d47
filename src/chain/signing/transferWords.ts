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
