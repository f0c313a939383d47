import { convert, getMeasureKind, type Unit } from 'convert'
import { z } from 'zod'
import type { Json } from '../../../src/domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent } from '../../../src/kit/kit.ts'
import type { DemoOptions } from './options.ts'

const conversion: AgentOffering = {
  id: 'convert-units',
  name: 'Convert units',
  description:
    'Converts a measure from one unit to another: feet to metres, pounds to kilograms, Fahrenheit to Celsius, gallons to litres, ' +
    'miles, inches, ounces, hours, bytes and many more, and back.',
  price: '0.01',
  jobInput: 'An amount, its unit and the wanted unit; for example {"amount": 12, "from": "feet", "to": "metres"}',
  jobOutput: 'The converted amount',
  requirement: {
    type: 'object',
    required: ['amount', 'from', 'to'],
    properties: {
      amount: { type: 'number', description: 'How much to convert' },
      from: { type: 'string', description: 'The unit that it is in, such as ft, lb or °F' },
      to: { type: 'string', description: 'The unit that it should be in, such as m, kg or °C' },
    },
  },
  deliverable: {
    type: 'object',
    required: ['result', 'unit', 'given'],
    properties: {
      result: { type: 'number', description: 'The converted amount, to six significant digits' },
      unit: { type: 'string', description: 'Its unit' },
      given: { type: 'string', description: 'What was converted' },
    },
  },
  tags: ['units', 'numbers'],
  examples: ['Convert 12 feet to metres', 'How much is 72 °F in °C?', 'Convert 5 pounds to kilograms'],
  main: 'result',
}

/** Common unit names that the library does not know. */
const spoken: Record<string, string> = {
  '°f': 'fahrenheit',
  f: 'fahrenheit',
  '°c': 'celsius',
  c: 'celsius',
  k: 'kelvin',
  lbs: 'lb',
  metre: 'meter',
  metres: 'meters',
  kilometre: 'kilometer',
  kilometres: 'kilometers',
  centimetre: 'centimeter',
  centimetres: 'centimeters',
  litre: 'liter',
  litres: 'liters',
  foot: 'ft',
  feet: 'ft',
  inches: 'inch',
}

// The library has too many units for an enum, so the library itself validates the name.
const unit = z.custom<Unit>(it => typeof it === 'string' && getMeasureKind(it) !== undefined)

const toUnit = (text: unknown): Unit | undefined => {
  const said = String(text ?? '').trim()
  return unit.safeParse(spoken[said.toLowerCase()] ?? said).data ?? unit.safeParse(said.toLowerCase()).data
}

const sentence = /(-?\d+(?:[.,]\d+)?)\s*([°\p{L}]+)\s+(?:to|in|into|as)\s+([°\p{L}]+)/iu

const readWish = ({ fields, text }: AgentInput) => {
  if ('amount' in fields) return { amount: Number(fields.amount), from: fields.from, to: fields.to }
  const [, amount = '', from, to] = sentence.exec(text) ?? []
  return { amount: Number(amount.replace(',', '.') || Number.NaN), from, to }
}

const toConverted = (input: AgentInput): Json => {
  const { amount, from, to } = readWish(input)
  const [source, target] = [toUnit(from), toUnit(to)]
  if (!Number.isFinite(amount)) return { error: 'amount is required: a number to convert' }
  if (!source || !target) return { error: `I do not know the unit “${String(source ? to : from).slice(0, 40)}”.` }
  if (getMeasureKind(source) !== getMeasureKind(target))
    return { error: `${String(from)} and ${String(to)} measure different things.` }
  const result = Number(convert(amount, source).to(target).toPrecision(6))
  return { result, unit: String(to).slice(0, 40), given: `${amount} ${String(from).slice(0, 40)}` }
}

/** Creates Unit House, which converts measures. */
export const unitHouse = (options: DemoOptions): Agent =>
  createAgent({
    handle: 'demo-units',
    name: 'Unit House',
    description: 'Converts feet, pounds, gallons and degrees, and back.',
    skills: [{ id: 'convert-units', name: 'Convert units', description: 'Converts between units of measure', tags: ['units'] }],
    offerings: [{ ...conversion, sample: JSON.stringify({ result: 3.6576, unit: 'metres', given: '12 feet' }) }],
    ...options,
    handler: toConverted,
  })
