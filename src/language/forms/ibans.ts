import { byPattern } from './form.ts'

const most = 34
/** Whether the check digits of an account number are right (ISO 13616: the remainder by 97 is 1). */
const isChecked = (said: string): boolean => {
  const plain = said.replace(/[ -]/g, '').toUpperCase()
  const moved = plain.slice(4) + plain.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, it => String(it.charCodeAt(0) - 55))
  return plain.length <= most && [...digits].reduce((rest, it) => (rest * 10 + Number(it)) % 97, 0) === 1
}

/** The number at the start of a match: as much as has right check digits, else all but a word behind it. */
const toNumber = (said: string): string => {
  const ends = [...said.matchAll(/(?<=[A-Z\d])(?=[ -]|$)/giu)].map(it => it.index).reverse()
  const checked = ends.find(it => isChecked(said.slice(0, it)))
  return checked === undefined ? said.replace(/[ -][A-Z]{2,4}$/i, '') : said.slice(0, checked)
}

const found = byPattern({
  form: 'iban',
  pattern: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{4}){2,7}(?:[ -]?[A-Z\d]{1,4})?(?![\p{L}\p{N}])/giu,
  examples: {
    'is DE89 3704 0044 0532 0130 00 right': ['DE89 3704 0044 0532 0130 00'],
    'pay NL91ABNA0417164300.': ['NL91ABNA0417164300'],
    'is AT61 1904 3002 3457 3201 OK?': ['AT61 1904 3002 3457 3201'],
    'check gb29 nwbk 6016 1331 9268 19 please': ['gb29 nwbk 6016 1331 9268 19'],
  },
  counterExamples: ['AB12 CDEF', 'order DE89', 'a bank account'],
})

/** Numbers of bank accounts as people write them, with or without blanks (ISO 13616). The second way to write one has none. */
export const ibans = {
  ...found,
  find: (text: string) =>
    found.find(text).map(it => {
      const said = toNumber(text.slice(it.from, it.to))
      return { ...it, to: it.from + said.length, values: [said, said.replace(/[ -]/g, '').toUpperCase()] }
    }),
}
