import { expect, test } from 'vitest'
import { readHireOrder } from '../../../src/domain/consent/hireOrder.ts'
import { readOrders } from '../../conversations/orders/read.ts'
import { cpuMs } from '../../cpu.ts'

const named = { handle: 'poet', id: `97:0x${'8004'.repeat(10)}:7`, price: '0.5' }
const [orders, noOrders] = await Promise.all([readOrders('orders', named), readOrders('no-orders', named)])
const says = (of: typeof orders) => of.map(it => it.say)

test('no negation, condition, question, report, quotation or afterthought around the hire sentence is an order', () => {
  expect(noOrders.length).toBeGreaterThanOrEqual(120)
  expect(says(noOrders).filter(it => readHireOrder(it))).toEqual([])
})

test('the hire sentences of existing clients are orders', () => {
  expect(orders.length).toBeGreaterThanOrEqual(25)
  expect(says(orders).filter(it => !['poet', named.id].includes(readHireOrder(it)?.agent ?? ''))).toEqual([])
})

test('one unknown word before or after the frame makes any order a task', () => {
  for (const say of says(orders))
    for (const word of ['zebra', 'not', 'no', 'if', 'nicht', '不', '?', '7'])
      expect([readHireOrder(`${word} ${say}`), readHireOrder(`${say} ${word}`)]).toEqual([undefined, undefined])
})

test('any message is read at once, however long', () => {
  const [order = ''] = says(orders)
  for (const part of ['task: ', 'don’t ', 'a. ', 'no, ', 'reward: 1 ', 'to hire x ', ' ', 'please ', 'create the job and '])
    for (const whole of [part.repeat(32_768 / part.length), order.replace('frogs', part.repeat(30_000 / part.length))])
      expect(cpuMs(() => readHireOrder(whole))).toBeLessThan(1_000)
})
