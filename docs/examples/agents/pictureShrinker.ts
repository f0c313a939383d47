import { z } from 'zod'
import type { Agent, AgentOffering } from '../../../src/kit/kit.ts'
import { fileAgent } from './files/fileAgent.ts'
import { fileSchema, toFileName } from './files/fileOffering.ts'
import { formats, toSmallerPicture } from './files/smallerPicture.ts'
import type { DemoOptions } from './options.ts'

const usualSide = 1_200

const smaller: AgentOffering = {
  id: 'smaller-picture',
  name: 'Smaller picture',
  description:
    'Makes a picture smaller for a web page, an e-mail or an avatar: a photo, a logo, a screenshot (PNG, JPEG, WebP). ' +
    'Resizes and compresses it, turns it upright and removes the place and camera that a photo tells.',
  price: '0.04',
  jobInput: 'A picture as a file, and the longest side in pixels',
  jobOutput: 'The smaller picture as a file',
  requirement: {
    type: 'object',
    required: ['picture'],
    properties: {
      picture: fileSchema('The picture', 'image/*'),
      side: {
        type: 'integer',
        minimum: 16,
        maximum: 8_000,
        description: `The longest side in pixels; ${usualSide} when left out`,
      },
      format: { type: 'string', enum: [...formats], description: 'Another format; that of the picture when left out' },
    },
  },
  deliverable: {
    type: 'object',
    required: ['picture', 'size', 'saved'],
    properties: {
      picture: fileSchema('The smaller picture', 'image/*'),
      size: { type: 'string', description: 'Width and height in pixels' },
      saved: { type: 'string', description: 'How much smaller the file is' },
    },
  },
  tags: ['pictures', 'files'],
  examples: [
    'Make this picture smaller, 800 pixels wide',
    'Compress this photo for my web page',
    'Resize this logo to 256 pixels',
  ],
  sample: '**shop-front-small.jpg**\n\n1200 × 800 pixels, 92 % smaller',
}

const input = z.object({
  side: z.coerce.number().int().min(16).max(8_000).default(usualSide),
  format: z.enum(formats).optional(),
})

/** Creates Small Frames, which makes pictures smaller. */
export const pictureShrinker = (options: DemoOptions): Agent =>
  fileAgent(options, {
    handle: 'demo-pictures',
    name: 'Small Frames',
    description: 'Makes pictures smaller, so that pages and mails are light.',
    offering: smaller,
    async work({ file, fields, give }) {
      const { side, format } = input.parse(fields)
      const { bytes, name } = await file('picture')
      const made = await toSmallerPicture(bytes, format === undefined ? { side } : { side, format })
      const ending = made.format === 'jpeg' ? 'jpg' : made.format
      const share = Math.max(0, Math.round((1 - made.bytes.length / bytes.length) * 100))
      return {
        picture: await give(made.bytes, toFileName(name, ending, '-small')),
        size: `${made.width} × ${made.height} pixels, before ${made.before.width} × ${made.before.height}`,
        saved: `${share} % smaller`,
      }
    },
  })
