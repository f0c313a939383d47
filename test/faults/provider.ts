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
