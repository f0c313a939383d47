/** Words that make a limit one for all tasks together, in the languages of the butler's fixed sentences. */
const words = [
  ...[
    'in total',
    'total(?:ly)?',
    'altogether',
    'together',
    'all in all',
    'overall',
    'all in',
    '(?:for|on) (?:both|all|everything)',
  ],
  ...['insgesamt', 'zusammen', 'alles in allem', 'en total', 'en tout', 'au total', 'in totale', 'in tutto', 'no total'],
  ...['em total', 'ao todo', 'toplam(?:da)?', 'всего', 'в сумме', 'итого'],
]
const spaced = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`, 'iu')
const unspaced = /一共|总共|總共|合計|全部で|合わせて/u

export const namesWhole = (text: string): boolean => spaced.test(text) || unspaced.test(text)

/** A text without the words that speak of all tasks together. */
export const withoutWhole = (text: string): string =>
  text.replace(new RegExp(spaced.source, 'giu'), ' ').replace(new RegExp(unspaced.source, 'gu'), ' ')
