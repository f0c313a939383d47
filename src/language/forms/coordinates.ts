import { byPattern, type Recogniser, type Span } from './form.ts'

const degrees = String.raw`-?\d{1,3}(?:[.,]\d{1,10})?`
const toText = (said: string, side = ''): string => `${/^[SW]/i.test(side) ? '-' : ''}${said.replace(',', '.')}`

const pair = /(?<![\p{L}\p{N}.,-])(?<lat>-?\d{1,2}\.\d{1,10})\s*[,/ ]\s*(?<lon>-?\d{1,3}\.\d{1,10})(?![\p{N}°]|[.,]\d)/gu
/** One side of "54.18, 7.89". */
const inPairs = (text: string, side: 'lat' | 'lon', form: string): Span[] =>
  [...text.matchAll(pair)].map(it => {
    const said = it.groups?.[side] ?? ''
    const from = it.index + (side === 'lat' ? 0 : it[0].lastIndexOf(said))
    return { form, from, to: from + said.length, values: [toText(said)] }
  })

const sided = (form: string, sides: string): Recogniser =>
  byPattern({
    form,
    pattern: new RegExp(String.raw`(?<![\p{L}\p{N}.])${degrees}\s?°?\s?(?:degrees )?(?:${sides})(?![\p{L}\p{N}])`, 'gu'),
    alike: said => [toText(/^[-\d.,]+/.exec(said)?.[0] ?? '', /\p{L}/u.exec(said.replace(/degrees/i, ''))?.[0])],
    examples: {},
    counterExamples: [],
  })

const withPairs = (one: Recogniser, side: 'lat' | 'lon', of: Pick<Recogniser, 'examples' | 'counterExamples'>): Recogniser => ({
  ...one,
  ...of,
  find: text => [...one.find(text), ...inPairs(text, side, one.form)].sort((a, b) => a.from - b.from),
})

/** Degrees north and south: with their letter, or first of a pair. */
export const latitudes = withPairs(sided('latitude', '[Nn]orth|[Ss]outh|N|S'), 'lat', {
  examples: { 'at 36.1° N, 5.35° W': ['36.1° N'], 'near 54.18, 7.89': ['54.18'] },
  counterExamples: ['36.1 km', '12 boxes', 'N 5'],
})

/** Degrees east and west: with their letter, or second of a pair. */
export const longitudes = withPairs(sided('longitude', '[Ee]ast|[Ww]est|E|W'), 'lon', {
  examples: { 'at 36.1° N, 5.35° W': ['5.35° W'], 'near 54.18, 7.89': ['7.89'] },
  counterExamples: ['36.1 km', '12 boxes'],
})
