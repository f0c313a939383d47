import { byPattern } from './form.ts'

/** Addresses of a chain: EVM, base58, and names of the Ethereum Name Service (ENSIP-1). */
export const wallets = byPattern({
  form: 'wallet',
  pattern:
    /\b0x[0-9a-fA-F]{40}\b|\b(?=[a-zA-Z]*\d)[1-9A-HJ-NP-Za-km-z]{32,44}\b|(?<![\p{L}\p{N}@./-])(?:[a-z0-9-]{1,63}\.){1,3}eth(?![\p{L}\p{N}])/gu,
  examples: {
    'check 0x52908400098527886E0F7030069857D2E4169EE7 please': ['0x52908400098527886E0F7030069857D2E4169EE7'],
    'who is ada.example.eth?': ['ada.example.eth'],
  },
  counterExamples: ['0x1234', 'eth is up', `0x${'a'.repeat(64)}`],
})
