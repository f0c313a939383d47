import { byPattern } from './form.ts'

/** Phone numbers as people write them. The second way to write one has digits and its plus only, as E.164 has. */
export const phones = byPattern({
  form: 'phone',
  pattern: /(?<![\p{L}\p{N}+./-])(?:\+|00)?\(?\d[\d ()./-]{4,20}\d(?![\p{L}\p{N}]|[.-]\d)/gu,
  isReal: said => said.replace(/\D/g, '').length >= 6 && !/^\d{4}-\d{2}-\d{2}/.test(said) && !/^\d+(?:\.\d+){2,3}$/.test(said),
  alike: said => [said.replace(/[^\d+]/g, '')],
  examples: {
    'ring +44 20 7946 0958 now': ['+44 20 7946 0958'],
    'call (030) 1234-567': ['(030) 1234-567'],
  },
  counterExamples: ['on 2026-11-23', 'ping 192.0.2.17', 'I have 12 boxes', 'A1B2C3D4E5'],
})
