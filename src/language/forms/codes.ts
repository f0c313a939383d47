import { isEnglish } from '../words/englishWords.ts'
import { byPattern, type Recogniser } from './form.ts'

/** Symbols of shares and coins, in capitals. */
export const tickers = byPattern({
  form: 'ticker',
  pattern: /(?<![\p{L}\p{N}])\$?(?<it>[A-Z]{2,5}(?:\.[A-Z]{1,2})?)(?![\p{L}\p{N}])/gu,
  examples: { 'price of ACME': ['ACME'], 'sell $BRK.B now': ['BRK.B'] },
  counterExamples: ['price of acme', 'A plan', 'ABCDEFG'],
})

/** Numbers of things: letters and digits in one word, with a digit at least. */
export const codes = byPattern({
  form: 'code',
  pattern:
    /(?<![\p{L}\p{N}/.-])(?!EUR|USD|GBP|CHF)[A-Z]{1,3}(?:[ -][A-Z]{1,3})? \d{1,6}(?: [A-Z]{1,3}(?=\s*(?:$|[,;.!?)\n])))?(?![\p{L}\p{N}]|[.,]\d)|(?<![\p{L}\p{N}/.,-]|\d )\d{4}(?: \d{3,5}){1,5}(?!\p{N}|[.,:]\d| ?[\p{L}€$£%])|(?<![\p{L}\p{N}/.-])(?=[\p{L}_-]{0,20}\d)[\p{L}\p{N}][\p{L}\p{N}_/-]{2,40}(?![\p{L}\p{N}]|[.,]\d)/gu,
  alike: said => [said.toUpperCase(), said.toUpperCase().replaceAll(' ', '')],
  examples: {
    'parcel 0159 2280 4471, by post': ['0159 2280 4471'],
    'order AB-1234 is late': ['AB-1234'],
    'plate GR 12345': ['GR 12345'],
    'plate KX 884 F, please': ['KX 884 F'],
    'VIN 1HGCM82633A004352': ['1HGCM82633A004352'],
  },
  counterExamples: ['an order', '12', 'report'],
})

/** Any word. What the form of the field refuses is no value of it. */
export const words = byPattern({
  form: 'word',
  pattern: /[^\s,;"'“”‘’()<>\uE000]{2,100}/gu,
  alike: said => {
    const bare = said.replace(/[.:!?]+$/, '')
    // A word of the sentence is no code in small letters: "the".
    return /^\p{L}+$/u.test(bare) && isEnglish(bare.toLowerCase()) ? [bare] : [bare, bare.toUpperCase()]
  },
  examples: { 'a VIN: 1HG': ['VIN:', '1HG'] },
  counterExamples: ['a', ', ;'],
})

const mostWords = 8
const readWords = 150
/**
 * Two to eight words with a digit among them, the longest first: "205/55 R16", "DE89 3704 0044 0532 0130 00". The last way to write
 * them has no blanks. What the form of the field refuses is no value of it.
 */
export const phrases: Recogniser = {
  form: 'phrase',
  find: text => {
    const all = [...text.matchAll(/[^\s,;"'“”‘’()<>\uE000]+/gu)].slice(0, readWords)
    return all.flatMap(({ index: from }, at) =>
      Array.from({ length: mostWords - 1 }, (_, less) => all[at + mostWords - 1 - less]).flatMap(last => {
        const said = last ? text.slice(from, last.index + last[0].length).replace(/[.:!?]+$/, '') : ''
        const isOne = /\d/.test(said) && /^[^\s,;]+(?: [^\s,;]+)+$/.test(said)
        return isOne
          ? [
              {
                form: 'phrase',
                from,
                to: from + said.length,
                values: [said, said.toUpperCase(), said.toUpperCase().replaceAll(' ', '')],
              },
            ]
          : []
      }),
    )
  },
  examples: { 'size 205/55 R16': ['size 205/55 R16', 'size 205/55', '205/55 R16'] },
  counterExamples: ['two words', '1, 2'],
}
