import { byPattern } from './form.ts'

/** Hashes in hexadecimal digits: of a transaction, a commit or a file. */
export const hashes = byPattern({
  form: 'hash',
  pattern: /\b0x[0-9a-fA-F]{64}\b|(?<![\p{L}\p{N}-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}(?![\p{L}\p{N}-])/gu,
  examples: {
    [`trace 0x${'ab'.repeat(32)}`]: [`0x${'ab'.repeat(32)}`],
    'revert 3f9c2e1 today': ['3f9c2e1'],
  },
  counterExamples: ['1234567', 'deadbeef', '0x52908400098527886E0F7030069857D2E4169EE7'],
})
