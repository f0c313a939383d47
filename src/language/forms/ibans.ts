import { byPattern } from './form.ts'

/** Numbers of bank accounts as people write them, with or without blanks (ISO 13616). The second way to write one has none. */
export const ibans = byPattern({
  form: 'iban',
  pattern: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?![\p{L}\p{N}])/gu,
  alike: said => [said.replaceAll(' ', '')],
  examples: {
    'is DE89 3704 0044 0532 0130 00 right': ['DE89 3704 0044 0532 0130 00'],
    'pay NL91ABNA0417164300.': ['NL91ABNA0417164300'],
  },
  counterExamples: ['AB12 CDEF', 'order DE89', 'a bank account'],
})
