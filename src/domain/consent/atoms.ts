// Splits a message into the units that the tables of consent are written in: words, or single characters where a script has no
// spaces.

const marks = /[\u0300-\u036f\ufe0f\u{1f3fb}-\u{1f3ff}]/gu
const smiles = /(?<=^|\s):-?[)D](?=\s|$)/g
const apostrophe = /(?<=\p{L})['’ʼ](?=\p{L})/gu
const separators = /(?:[.,](?!\d)|(?<!\d)[.,]|[\s!¡;:\-–—。、])+/u
/** Characters of scripts without spaces. */
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー'
const picture = '\\p{Extended_Pictographic}'
const units = new RegExp(`[${unspaced}]|${picture}|[^${unspaced}${picture}]+`, 'gu')

/** A text in lower case, without accents and with plain punctuation, as all tables and messages are compared. */
export const toPlain = (text: string): string =>
  text
    .replace(smiles, '🙂')
    .toLowerCase()
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replace(apostrophe, '')

/** The units of a plain text, in order. Any other sign stays in its unit, so that no table contains it. */
export const toAtoms = (plain: string): string[] =>
  plain
    .split(separators)
    .filter(Boolean)
    .flatMap(it => it.match(units) ?? [])
