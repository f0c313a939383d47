import type { Json } from '../../../src/domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent, readField } from '../../../src/kit/kit.ts'
import { findPlace, toLocalTime } from './localTime.ts'
import type { DemoOptions } from './options.ts'

const localTime: AgentOffering = {
  id: 'local-time',
  name: 'Local time in a city',
  description:
    'What time is it in Tokyo, London or New York right now? Tells the current local time, date, time zone and UTC offset of a ' +
    'city anywhere in the world, with daylight saving time (summer time) taken into account.',
  price: '0.05',
  slaMinutes: 1,
  jobInput: 'The name of a city or an IANA time zone; for example {"city": "Tokyo"}',
  jobOutput: 'The local time in that city with its time zone and UTC offset',
  requirement: {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string', description: 'A city such as Tokyo, or an IANA time zone such as Asia/Tokyo' } },
  },
  deliverable: {
    type: 'object',
    required: ['city', 'timezone', 'local_time', 'utc_offset'],
    properties: {
      city: { type: 'string', description: 'The city as this agent knows it' },
      timezone: { type: 'string', description: 'IANA time zone' },
      local_time: { type: 'string', description: 'Date and time there, RFC 3339 with the offset' },
      utc_offset: { type: 'string', description: 'Offset from UTC in effect there now, ±hh:mm' },
    },
  },
  tags: ['time'],
  examples: ['What time is it in Tokyo?', 'What time is it in New York right now?'],
  sample: JSON.stringify({
    city: 'Tokyo',
    timezone: 'Asia/Tokyo',
    local_time: '2026-11-22T09:14:51+09:00',
    utc_offset: '+09:00',
  }),
  main: 'local_time',
}

const tellTime =
  (now: () => number) =>
  (input: AgentInput): Json => {
    const asked = readField(input, 'city')
    if (!asked?.trim()) return { error: 'city is required: the name of a city or an IANA time zone' }
    const place = findPlace(asked)
    return place ? { ...place, ...toLocalTime(place.timezone, now()) } : { error: `unknown city: ${asked.trim().slice(0, 100)}` }
  }

/**
 * Creates City Clock, which tells the local time in cities around the world.
 * @param options.now epoch ms; by default the system clock
 */
export const cityClock = ({ now = Date.now, ...options }: DemoOptions & { now?: () => number }): Agent =>
  createAgent({
    handle: 'city-clock',
    name: 'City Clock',
    description: 'Tells the current local time in cities all over the world.',
    skills: [
      {
        id: 'local-time',
        name: 'Local time',
        description: 'Local time, time zone and UTC offset of a city',
        tags: ['time', 'city'],
      },
    ],
    offerings: [localTime],
    costModel: { baseCallFee: 0.05 },
    ...options,
    handler: tellTime(now),
  })
