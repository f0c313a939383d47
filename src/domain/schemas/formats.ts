import { isFileId } from '../files/fileLinks.ts'

// Checks the formats of JSON Schema (2020-12, validation, section 7.3) in time linear in the length of the text.

const day = String.raw`(\d{4})-(\d{2})-(\d{2})`
const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?`
const whole = (source: string, flags = 'i') => new RegExp(`^(?:${source})$`, flags)
const dateForm = whole(day)
const timeForm = whole(clock)
const momentForm = whole(`${day}[T ]${clock}`)
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostForm = whole(String.raw`${label}(?:\.${label}){0,30}\.?`)
const mailForm = whole(
  String.raw`[\p{L}\p{N}.!#$%&'*+/=?^_\u0060{|}~-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,10}[\p{L}\p{N}-]{2,63}`,
  'iu',
)
const uriForm = /^[a-z][a-z0-9+.-]{0,30}:[^\s<>"\\^`{|}]+$/i
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`
const ipv4Form = whole(String.raw`${octet}(?:\.${octet}){3}`)
const spanForm = /^P(?=\d|T\d)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/

const isDay = (text: string): boolean => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text)?.map(Number) ?? []
  const at = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, date))
  at.setUTCFullYear(year ?? 0)
  return at.getUTCMonth() + 1 === month && at.getUTCDate() === date
}

const isIpv6 = (text: string): boolean => /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]/`)
const isHost = (text: string): boolean => text.length <= 253 && hostForm.test(text)
/** An address may also be the id of a file: its agent gets an address of the file. */
const isAddress = (text: string): boolean => isUri(text) || isFileId(text)
const isUri = (text: string): boolean => uriForm.test(text) && (!/^https?:/i.test(text) || URL.canParse(text))

/**
 * Whether a text has a format, by the format's name. A date and time may leave out seconds and zone, because forms and people
 * do (RFC 3339 demands both).
 */
const checks = new Map<string, (text: string) => boolean>([
  ['date', text => dateForm.test(text) && isDay(text)],
  ['date-time', text => momentForm.test(text) && isDay(text)],
  ['time', text => timeForm.test(text)],
  ['duration', text => spanForm.test(text)],
  ['email', text => text.length <= 254 && mailForm.test(text)],
  ['idn-email', text => text.length <= 254 && mailForm.test(text)],
  ['hostname', isHost],
  ['ipv4', text => ipv4Form.test(text)],
  ['ipv6', isIpv6],
  ['uri', isAddress],
  ['url', isAddress],
  ['iri', isUri],
  ['file', isFileId],
  ['uuid', text => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)],
])

/** Whether a text has the named format. A format that is not known here allows any text. */
export const hasFormat = (format: string, text: string): boolean => checks.get(format)?.(text) ?? true

const examples = new Map([
  ['date', '2027-03-31'],
  ['date-time', '2027-03-31T19:30:00Z'],
  ['time', '19:30:00Z'],
  ['duration', 'PT30M'],
  ['email', 'ada@example.org'],
  ['idn-email', 'ada@example.org'],
  ['hostname', 'example.org'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uri', 'https://example.org/page'],
  ['url', 'https://example.org/page'],
  ['iri', 'https://example.org/page'],
  ['uuid', '6f9619ff-8b86-4d11-b42d-00cf4fc964ff'],
])
/** A text of the named format, to show what is expected; undefined for a format that is not known here. */
export const formatExample = (format: string): string | undefined => examples.get(format)
