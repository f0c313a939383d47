import { fillRequest } from '../src/llm/filling/fillRequest.ts'

const now = Date.UTC(2026, 5, 10, 9)
const s = (d = '', m = {}) => ({ type: 'string', description: d, ...m })
const f = (p: any, r = Object.keys(p)) => ({ type: 'object', properties: p, required: r })
const t = (text: string, req: any, more: any = {}) =>
  console.log(
    text.slice(0, 70),
    '→',
    JSON.stringify(fillRequest({ text, requirement: req, now, listing: 'Courier\nPicks things up', ...more }).values),
  )
t('Send a courier to 12 Baker Street, London NW1 6XE please', f({ address: s('Where to go') }))
t('Send a courier to 12 Baker Street, London NW1 6XE please', f({ location: s('Where to go') }))
t('weather at 12 Baker Street, London NW1 6XE please', f({ city: s('City') }))
t('text +44 20 7946 0958 that I am late', f({ phone: s('Phone number'), message: s('What to say') }))
t(
  'text +44 20 7946 0958 that I am late',
  f({ phone: s('Phone number', { pattern: '^\\+\\d{6,15}$' }), message: s('What to say') }),
)
t('decode VIN 1HGCM82633A004352 please', f({ vin: s('', { pattern: '^[A-HJ-NPR-Z0-9]{17}$' }) }))
t('look up 192.168.1.10', f({ ip: s('', { format: 'ipv4' }) }))
t('whois example.org', f({ host: s('', { format: 'hostname' }) }))
t('check shop.example for errors', f({ page: s('', { format: 'uri' }) }))
t('book it on 3 March 2021', f({ date: s('Day', { format: 'date' }) }))
for (const x of [
  'May 3rd-5th 2022',
  'March 3rd of 2021',
  '3 March in 2021',
  "Mar 3 '21",
  'Sunday, 3rd March (2021)',
  '2021 March 3',
  'the 5th of May, in the year 2020',
  '3rd of May 2019',
  'on 12/24/2020',
  'from 3 to 5 May, 2022',
  'in 2019 on 4 July',
])
  t(x, f({ date: s('Day', { format: 'date' }) }))
t('next week maybe', f({ date: s('Day', { format: 'date' }) }), { asked: { fields: ['date'], times: 2 }, known: {} })
t('whenever it suits you', f({ date: s('Day', { format: 'date' }) }), { asked: { fields: ['date'], times: 2 }, known: {} })
t('whenever it suits you', f({ date: s('Day') }), { asked: { fields: ['date'], times: 2 }, known: {} })
t('how much does it cost?', f({ city: s('City') }), { asked: { fields: ['city'], times: 1 }, known: {} })
t('what is the price', f({ city: s('City') }), { asked: { fields: ['city'], times: 2 }, known: {} })
t("what's the price of that", f({ name: s('Name') }), { asked: { fields: ['name'], times: 1 }, known: {} })
t('is it free', f({ city: s('City') }), { asked: { fields: ['city'], times: 1 }, known: {} })
t('yes but only if it is free', f({ city: s('City') }), { known: { city: 'Oslo' } })
