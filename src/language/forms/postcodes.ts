import { byPattern } from './form.ts'

/** Postal codes of the forms that many countries share. */
export const postcodes = byPattern({
  form: 'postcode',
  pattern:
    /(?<![\p{L}\p{N}])(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[\dW] ?[A-Z\d]{4}|\d{5}(?:-\d{3,4})?|\d{4} ?[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}|[A-Z]{1,2}-\d{4,5})(?![\p{L}\p{N}]|[.,]\d)/gu,
  examples: {
    'to LS1 4AB and 10115': ['LS1 4AB', '10115'],
    'in 1012 AB, K1A 0B1': ['1012 AB', 'K1A 0B1'],
    'near D02 X285': ['D02 X285'],
    'from 61-001 to 1000-205': ['61-001', '1000-205'],
  },
  counterExamples: ['123456', '12 boxes', 'A4 paper'],
})

/** Postal codes in small letters, or of four and six digits. Other numbers look the same. */
export const loosePostcodes = byPattern({
  form: 'loose-postcode',
  pattern:
    /(?<![\p{L}\p{N}])(?:[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|\d{4,6})(?![\p{L}\p{N}]|[.,:-]\d|\s?(?:[kmc]?g|[kcm]?m|m²|kilos?|tons?|tonnes?|litres?|liters?|eur|usdc?|euros?|dollars?|pounds|%|€|\$)(?![\p{L}\p{N}]))/giu,
  examples: { 'around 8004': ['8004'], 'ls1 4ab': ['ls1 4ab'] },
  counterExamples: ['12 boxes', '1.234', '1234567', '1850 kg'],
})
