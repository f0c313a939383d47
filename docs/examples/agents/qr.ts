import { renderSVG } from 'uqr'
import type { Json } from '../../../src/domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent, readField } from '../../../src/kit/kit.ts'
import type { DemoOptions } from './options.ts'

/** A QR code holds at most 2,953 bytes; above about half of that, phones have difficulty reading it. */
const maxBytes = 1_000

const code: AgentOffering = {
  id: 'qr-code',
  name: 'QR code',
  description:
    'Makes a QR code of a link, a text, a phone number or the guest Wi-Fi, as a picture (SVG) that is sharp at any size and prints well.',
  price: '0.03',
  jobInput: 'What the code says; for example {"link": "https://example.com/menu"}',
  jobOutput: 'The QR code as SVG',
  requirement: {
    type: 'object',
    required: ['link'],
    properties: { link: { type: 'string', description: `A link or a text, at most ${maxBytes} bytes` } },
  },
  deliverable: {
    type: 'object',
    required: ['code', 'says'],
    properties: {
      code: { type: 'string', description: 'The QR code as SVG' },
      says: { type: 'string', description: 'What a phone reads in it' },
    },
  },
  tags: ['pictures'],
  examples: ['Make a QR code for https://example.com/menu', 'QR code for https://example.com/guest-wifi'],
}

const make = (input: AgentInput): Json => {
  const text = readField(input, 'link')?.trim()
  if (!text) return { error: 'link is required: a link or a text' }
  if (Buffer.byteLength(text) > maxBytes) return { error: `That is too long: at most ${maxBytes} bytes fit.` }
  return { code: renderSVG(text, { pixelSize: 1, border: 2 }), says: text }
}

/** Creates Code Square, which makes QR codes. */
export const codeSquare = (options: DemoOptions): Agent =>
  createAgent({
    handle: 'demo-qr',
    name: 'Code Square',
    description: 'Makes QR codes that are sharp at any size.',
    skills: [{ id: 'qr-code', name: 'QR code', description: 'Makes QR codes as SVG', tags: ['pictures'] }],
    offerings: [{ ...code, sample: JSON.stringify(make({ text: '', fields: { link: 'https://example.com/menu' } })) }],
    ...options,
    handler: make,
  })
