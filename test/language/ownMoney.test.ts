import { expect, test } from 'vitest'
import { readOwnMoney } from '../../src/language/text/ownMoney.ts'

test.each([
  'what did I pay and who got it',
  'who got paid the most?',
  'what did I pay last time',
  'what did I buy today?',
  'did I get my money back? who is to blame?',
  'did you charge me?',
  'show me my last receipts',
  'how much did I spend on city-clock?',
  'how much have we spent so far',
  'was I charged for the last job?',
  'and whom did I pay for that?',
])('“%s” asks for the payments of its user', text => expect(readOwnMoney(text)).toBe('spending'))

test.each([
  'the result is wrong, I want my money back',
  'I want my money back!',
  'This is useless. Give me my money back please',
])('“%s” demands the money back', text => expect(readOwnMoney(text)).toBe('refund'))

test.each([
  'How much did I spend on groceries in my list?',
  'what did I pay in taxes on 50000 euros',
  'Write to my landlord that I want my money back',
  'did I spell this right?',
  'what did I buy at the shop: milk, eggs',
  'who got paid the most in football in 2023?',
  'translate "what did I pay" into German',
  'who painted the Mona Lisa?',
  'did I pay too much for a flat in Ghent?',
])('“%s” is work', text => expect(readOwnMoney(text)).toBeUndefined())
