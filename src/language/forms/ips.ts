import { byPattern } from './form.ts'

const part = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`
const v4 = String.raw`(?<![\d.])${part}(?:\.${part}){3}(?:\/\d{1,2})?(?![\d]|\.\d)`
const v6 = '(?<![0-9a-f:])(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}|:)(?::[0-9a-f]{1,4}){0,6}(?![0-9a-f:])'

/** Internet addresses, versions 4 and 6. */
export const ips = byPattern({
  form: 'ip',
  pattern: new RegExp(`${v4}|${v6}`, 'gi'),
  isReal: said => said.includes('.') || said.includes('::') || said.split(':').length === 8,
  examples: { 'ping 192.0.2.7.': ['192.0.2.7'], 'and 2001:db8::1 too': ['2001:db8::1'] },
  counterExamples: ['version 1.2.3', 'at 10:30:15', '300.1.1.1'],
})
