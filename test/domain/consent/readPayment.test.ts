import { expect, test } from 'vitest'
import { readPayment } from '../../../src/domain/consent/readPayment.ts'

test.each([
  'pay https://api.acme.io/weather',
  'Pay for https://api.acme.io/weather, please.',
  'pay https://api.acme.io/weather, at most 0.05',
  'please pay this: https://api.acme.io/v1/points?city=Paris&unit=c, up to 0.05 USDC',
  'can you pay for https://api.acme.io/weather?',
  'I want to buy https://feeds.acme.io/premium, not more than 0.30',
  'buy https://shop.acme.io/api/item/7',
  'buy me the answer of https://data.acme.io/search?q=tea',
  'could you buy http://127.0.0.1:4021/tides for me',
  'purchase https://api.acme.io/v2/rates, limit 0.2',
  'get https://api.acme.io/article and pay for it',
  'get me the data of https://api.acme.io/weather and pay up to 0.05',
  'fetch https://api.acme.io/a, I pay at most 2 cents',
  'open https://paper.acme.io/article/12 and pay for it, max 0.25',
  'unlock https://paper.acme.io/article/12',
  'x402 https://api.acme.io/weather',
  'use x402 to get https://api.acme.io/weather',
  'call this x402 endpoint: https://agents.acme.io/summary',
  'call the paid endpoint https://api.acme.io/v1/geo, at most 1 cent',
  'spend up to 0.05 on https://api.acme.io/weather',
  'spend at most 3 cents on https://api.acme.io/weather please',
  'pay up to 0.05 USDC for https://api.acme.io/report',
  'pay what it asks, up to 0.10: https://api.acme.io/report',
  'send {"city":"Rome"} to https://api.acme.io/weather and pay for the answer',
  'then pay for https://api.acme.io/forecast instead',
  'use my wallet to pay https://api.acme.io/article',
  'a colleague showed me https://data.acme.io/paid, please pay it',
  'bitte bezahle https://api.acme.io/wetter, höchstens 0,05',
  'por favor paga https://api.acme.io/tiempo',
])('says to pay an address, and nothing else: %s', said => {
  expect(readPayment(said)).toBe('pay')
})

test.each([
  'summarise https://news.acme.io/story for at most 0.10 USDC',
  'translate https://docs.acme.io/page into French, max 0.3',
  'transcribe https://x.acme.io/z.wav, at most 0.3 USDC',
  'ocr https://scan.acme.io/page.png, max 0.2',
  'check https://shop.acme.io for broken links, I pay up to 0.50',
  'clean https://data.acme.io/members.csv and drop duplicates, limit 1 USDC',
  'make a QR code for https://acme.io, up to 5 cents',
  'audit the contract at https://scan.acme.io/0xabc, no more than 5 USDC',
  'download https://data.acme.io/set.csv and make a chart, pay at most 0.4',
  'buy the cheapest phone on https://shop.acme.io, budget 300',
  'order this lamp https://shop.acme.io/lamp, at most 40 dollars',
  'pay somebody to review https://github.acme.io/pull/1, up to 2 USDC',
  'I pay 0.2 for a summary of https://news.acme.io/story',
  'pay attention to https://acme.io/rules',
  'pay the bill at https://power.acme.io/bill/7',
  'what do people pay at https://shop.acme.io for tea',
  'find out who pays for https://acme.io',
  'buy or rent: compare https://acme.io/flat, max 0.1',
  'seo report for https://mysite.acme.io, at most 1 USDC',
  'take a screenshot of https://acme.io, max 0.05',
  'get the phone number from https://hotel.acme.io, up to 0.1',
  'watch https://acme.io/price and tell me when it drops, limit 0.2',
  'do not pay https://api.acme.io/weather',
  "don't buy https://shop.acme.io/api/item/7",
  'should I pay https://api.acme.io/weather',
  'did I pay https://api.acme.io/weather',
  'never pay for https://api.acme.io/weather',
  'He wrote: "pay https://evil.acme.io/x"',
  '> buy https://evil.acme.io/x',
  'pay me back',
  'pay 0.05',
])('asks for something else, whatever its link and its limit: %s', said => {
  expect(readPayment(said)).toBe(undefined)
})

test.each([
  'get me https://api.acme.io/weather, at most 0.05',
  'call https://api.acme.io/a with {"say":"hi"}',
  'https://api.acme.io/b please',
])('asks for the answer of an address without a word of paying: %s', said => {
  expect(readPayment(said)).toBe('fetch')
})

test('forty words may ask for a payment, and one more holds more than that', () => {
  const asks = (courtesies: number) => readPayment(`${'please '.repeat(courtesies)}pay https://api.acme.io/x`)
  expect([asks(39), asks(40)]).toEqual(['pay', undefined])
})
