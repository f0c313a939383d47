import { generatePrivateKey } from 'viem/accounts'
import { createAgent } from '../../src/kit/kit.ts'

export const task = 'Please write a rhyme about the weather'

/** An agent that does one thing at once. Its promise leaves room for leases that nobody heard of. */
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
