import { setTimeout as pause } from 'node:timers/promises'
import { generatePrivateKey } from 'viem/accounts'
import { createAgent } from '../../src/kit/kit.ts'

export const task = 'Please write a rhyme about the weather'

/** An agent with one simple offering. Its promised time is long enough for leases that nobody received. */
export const rhymer = (platformUrl: string) =>
  createAgent({
    handle: 'rhymer',
    name: 'Rhymer',
    description: 'Writes rhymes.',
    skills: [],
    offerings: [
      {
        id: 'weather',
        name: 'A rhyme about the weather',
        description: 'Writes a rhyme about the weather.',
        price: '0.4',
        slaMinutes: 30,
        deliverable: { type: 'object', required: ['rhyme'], properties: { rhyme: { type: 'string' } } },
      },
    ],
    handler: () => ({ rhyme: 'Rain again, said the hen.' }),
    platformUrl,
    credential: { privateKey: generatePrivateKey() },
    pollPauseMs: 50,
    retryPauseMs: 100,
  })

export const taskByUse = 'Please translate a proverb into Latin'

/** An agent whose one offering is charged by use: its characters, which code counts. */
export const latinist = (platformUrl: string) =>
  createAgent({
    handle: 'latinist',
    name: 'Latinist',
    description: 'Translates proverbs into Latin.',
    skills: [],
    offerings: [
      {
        ...{ id: 'latin', name: 'A proverb in Latin', description: 'Translates a proverb into Latin.', price: '0.4' },
        slaMinutes: 30,
        usage: { unit: 'characters', perUnit: '0.01' },
      },
    ],
    handler: () => 'Festina lente.',
    platformUrl,
    credential: { privateKey: generatePrivateKey() },
    pollPauseMs: 50,
    retryPauseMs: 100,
  })

/** How long the drummer works, in ms. Payers may cheat meanwhile. */
export const beatsMs = 500

/** An agent that is paid by the call (x402). Its work differs from that of the rhymer, so that nobody hires it. */
export const drummer = (platformUrl: string) =>
  createAgent({
    handle: 'drummer',
    name: 'Drummer',
    description: 'Counts the beats of a rhythm.',
    skills: [],
    offerings: [
      { id: 'beats', name: 'Count beats', description: 'Counts the beats of a rhythm.', price: '0.03', slaMinutes: 10 },
      {
        ...{
          id: 'strokes',
          name: 'Count strokes',
          description: 'Counts the strokes of a rhythm.',
          price: '0.05',
          slaMinutes: 10,
        },
        usage: { unit: 'strokes', perUnit: '0.01' },
      },
    ],
    // Also none, and more than the most that is paid.
    handler: ({ text, used }) => {
      used(text.length % 7)
      return pause(beatsMs).then(() => 'Four beats.')
    },
    platformUrl,
    credential: { privateKey: generatePrivateKey() },
    pollPauseMs: 50,
    retryPauseMs: 100,
  })
