import ical from 'ical-generator'
import { z } from 'zod'
import { minuteMs } from '../../../src/domain/durations.ts'
import type { Json } from '../../../src/domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent } from '../../../src/kit/kit.ts'
import type { DemoOptions } from './options.ts'

const maxMinutes = 14 * 24 * 60

const entry: AgentOffering = {
  id: 'calendar-file',
  name: 'Calendar entry',
  description:
    'Makes a calendar file (ICS) of an appointment: a flight, a dinner, a meeting. It opens in every calendar, on phones and computers.',
  price: '0.06',
  jobInput: 'What, when and for how long; for example {"title": "Flight to Oslo", "start": "2026-11-27T07:25", "minutes": 135}',
  jobOutput: 'The calendar file',
  requirement: {
    type: 'object',
    required: ['title', 'start'],
    properties: {
      title: { type: 'string', description: 'What it is' },
      start: { type: 'string', format: 'date-time', description: 'When it begins, by the clock of the place' },
      minutes: { type: 'integer', description: 'How many minutes it takes; 60 when left out' },
      place: { type: 'string', description: 'Where it is' },
    },
  },
  deliverable: {
    type: 'object',
    required: ['calendar'],
    properties: { calendar: { type: 'string', description: 'The calendar file (ICS)' } },
  },
  tags: ['time', 'documents'],
  examples: ['Make a calendar entry: dinner with Ada tomorrow at 19:30', 'Calendar entry: flight to Oslo on 3 December at 7:25'],
}

const text = z.string().trim().min(1).max(300)
const wish = z.object({
  title: text,
  start: z.string().regex(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/),
  minutes: z.coerce.number().int().min(1).max(maxMinutes).catch(60),
  place: text.optional().catch(undefined),
})

const make = ({ fields }: AgentInput): Json => {
  const asked = wish.safeParse(fields)
  if (!asked.success) return { error: 'title and start are required: start such as 2026-12-01T19:30' }
  const { title, start, minutes, place } = asked.data
  // A time without a zone stays local time wherever the calendar is opened.
  const at = new Date(`${start.slice(0, 16).replace(' ', 'T')}:00Z`)
  if (Number.isNaN(at.getTime())) return { error: `There is no such time: ${start}` }
  const file = ical({ name: title, prodId: { company: 'Calendar Clerk', product: 'calendar-file', language: 'EN' } })
  const end = new Date(at.getTime() + minutes * minuteMs)
  file.createEvent({ start: at, end, floating: true, summary: title, ...(place && { location: place }) })
  return { calendar: file.toString() }
}

const sample = { title: 'Flight to Oslo', start: '2026-11-27T07:25', minutes: 135, place: 'Gate B12' }

/** Creates Calendar Clerk, which makes calendar files. */
export const calendarClerk = (options: DemoOptions): Agent =>
  createAgent({
    handle: 'demo-calendar',
    name: 'Calendar Clerk',
    description: 'Makes appointments into files for every calendar.',
    skills: [{ id: 'calendar-file', name: 'Calendar entry', description: 'Writes ICS files', tags: ['time', 'documents'] }],
    offerings: [{ ...entry, sample: JSON.stringify(make({ text: '', fields: sample })) }],
    ...options,
    handler: make,
  })
