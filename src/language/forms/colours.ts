import { respell } from '../../domain/text/spelling.ts'
import { isEnglish } from '../words/englishWords.ts'
import { byPattern, type Recogniser } from './form.ts'

const plain =
  'red blue green yellow orange purple violet pink brown black white grey gray gold golden silver beige turquoise teal navy cream ivory maroon burgundy lilac lavender magenta cyan indigo khaki olive coral crimson scarlet charcoal bronze copper'.split(
    ' ',
  )
const shades =
  'light|dark|pale|bright|deep|pastel|neon|matt|matte|glossy|off|navy|sky|royal|baby|midnight|sage|forest|mint|olive|lime|racing|emerald|moss|rose|hot|wine|ruby|mustard|lemon|burnt|slate|charcoal|pearl|bottle'
const fewestLetters = 5

const named = byPattern({
  form: 'colour',
  pattern: new RegExp(String.raw`(?<![\p{L}\p{N}])(?:(?:${shades})[ -])?(?:${plain.join('|')})(?![\p{L}\p{N}])`, 'giu'),
  examples: {},
  counterExamples: [],
})

/** Colours that are misspelt: the way to write them is the right one. */
const misspelt = byPattern({
  form: 'colour',
  pattern: /(?<![\p{L}\p{N}])\p{Ll}{5,12}(?![\p{L}\p{N}])/gu,
  isReal: said => said.length >= fewestLetters && !isEnglish(said) && respell(said, plain) !== said,
  examples: {},
  counterExamples: [],
})

/** Names of colours, with their shade. */
export const colours: Recogniser = {
  form: 'colour',
  find: (text, now) => {
    const found = named.find(text, now)
    return found.length > 0
      ? found
      : misspelt.find(text, now).map(it => ({ ...it, values: [respell(it.values[0] ?? '', plain)] }))
  },
  examples: { 'a navy shirt': ['navy'], 'in sage green, please': ['sage green'] },
  counterExamples: ['a bright room', 'blackboard', 'the greens'],
}
