import { expect, test } from 'vitest'
import { toMessageText, toOrder } from '../../src/web/chat/order.ts'

test('an order of the page is shown as its offering and values, and every other message as it was written', () => {
  const order = toOrder('demo-qr', 'QR "code"', '{"text":"https://example.com","size":4}')
  expect(order).toBe('Hire demo-qr for the "QR code" service, task: {"text":"https://example.com","size":4}')
  expect(toMessageText(order)).toBe('QR code: https://example.com, 4')
  expect(toMessageText(order.slice(0, -4))).toBe('QR code')
  expect(toMessageText(toOrder('demo-qr', 'QR code', 'a link to my menu'))).toBe('QR code: a link to my menu')
  for (const text of ['Hire somebody for the garden', toOrder('demo-qr', 'QR code'), 'What time is it in Tokyo?'])
    expect(toMessageText(text)).toBe(text)
})
