import { byPattern } from './form.ts'

const unit = `(?: ?(?:mm|cm|m|in|inch(?:es)?|ft|feet|px))?`
const side = String.raw`\d{1,5}(?:[.,]\d{1,3})?`

/** Sizes of things by their sides: "50x70 cm", "40 by 60". */
export const dimensions = byPattern({
  form: 'dimensions',
  pattern: new RegExp(
    String.raw`(?<![\p{L}\p{N}.,])${side}${unit}(?: ?[x×] ?| by )${side}(?:(?: ?[x×] ?| by )${side})?${unit}(?![\p{L}\p{N}])`,
    'giu',
  ),
  examples: { 'a poster, 50x70 cm': ['50x70 cm'], 'make it 40 by 60, please': ['40 by 60'] },
  counterExamples: ['3 x deep clean', 'by 18', '12 boxes'],
})
