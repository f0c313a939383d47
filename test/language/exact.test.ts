import { expect, test } from 'vitest'
import { withExactTexts } from '../../src/language/filling/exact.ts'

test('a part of a short marked line stays the value that a model took out of it', () => {
  const said = ['Flowers for my sister: Jana Weber, Lindenstr. 5, 04109 Leipzig']
  const line = 'Jana Weber, Lindenstr. 5, 04109 Leipzig'
  expect(withExactTexts({ recipient: 'Jana Weber' }, { recipient: line }, said)).toEqual({ recipient: 'Jana Weber' })
})

test('material of several lines stands in the place of a part that a model copied', () => {
  const text = 'Rent is due.\nThe deposit is back in March.\nKeys at the desk.'
  const said = [`Shorten this: \n\n\`\`\`\n${text}\n\`\`\``]
  expect(withExactTexts({ text: 'Rent is due.' }, { text }, said).text).toContain('Keys at the desk.')
})

test('a quotation that has its field fills no second one', () => {
  const said = ['a logo for "Kite & Co"']
  expect(withExactTexts({ brand: 'Kite & Co' }, { brand: 'Kite & Co', slogan: 'Kite & Co' }, said)).toEqual({
    brand: 'Kite & Co',
  })
})

test('words that are no copy of what the rules read stay', () => {
  const said = ['a limerick about a tax inspector', 'make it two limericks']
  const text = 'two limericks about a tax inspector'
  expect(withExactTexts({ text }, { text: 'make it two limericks' }, said)).toEqual({ text })
})
