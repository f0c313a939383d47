import { codes, phrases, tickers, words } from './codes.ts'
import { coined } from './coined.ts'
import { colours } from './colours.ts'
import { latitudes, longitudes } from './coordinates.ts'
import { dimensions } from './dimensions.ts'
import { emails } from './emails.ts'
import type { Recogniser, Span } from './form.ts'
import { handles } from './handles.ts'
import { hashes } from './hashes.ts'
import { hosts } from './hosts.ts'
import { ibans } from './ibans.ts'
import { ips } from './ips.ts'
import { months } from './months.ts'
import { paths } from './paths.ts'
import { phones } from './phones.ts'
import { loosePostcodes, postcodes } from './postcodes.ts'
import { urls } from './urls.ts'
import { wallets } from './wallets.ts'

export const recognisers: readonly Recogniser[] = [
  ...[urls, emails, hosts, ips, phones, wallets, ibans, hashes, handles, paths],
  ...[latitudes, longitudes, months, colours, dimensions],
  ...[postcodes, loosePostcodes, tickers, codes, words, phrases, coined],
]

/** Forms whose values contain no other value. The host inside a URL is a part of the URL. */
const wholes = new Set(['url', 'email'])

/** The values of some forms in a text, in order. */
export const findSpans = (text: string, forms: ReadonlySet<string>, now = Date.now()): Span[] => {
  const found = recognisers.filter(it => forms.has(it.form) || wholes.has(it.form)).flatMap(it => it.find(text, now))
  const whole = found.filter(it => wholes.has(it.form))
  const isInside = (it: Span) => whole.some(other => other !== it && other.from <= it.from && it.to <= other.to)
  return found.filter(it => forms.has(it.form) && !isInside(it)).sort((a, b) => a.from - b.from || b.to - a.to)
}
