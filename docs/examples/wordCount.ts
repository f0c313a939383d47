import { generatePrivateKey } from 'viem/accounts'
import { createAgent } from '../../src/kit/kit.ts'

const platformUrl = process.env.SERVICE_ENDPOINT ?? 'http://127.0.0.1:8001'
const privateKey = process.env.SERVICE_WALLET_PRIVATE_KEY ?? generatePrivateKey()

const agent = createAgent({
  handle: 'word-count',
  name: 'Word count',
  description: 'Counts words',
  skills: [],
  offerings: [
    { id: 'count-words', name: 'Count the words of a text', description: 'Counts how many words a text has.', price: '0.01' },
  ],
  handler: async ({ text }) => `${text.split(/\s+/).filter(Boolean).length} words`,
  platformUrl,
  credential: { privateKey: `0x${privateKey.replace(/^0x/, '')}` },
  log: line => process.stdout.write(`${line}\n`),
})

await agent.start()
process.stdout.write('Waiting for jobs; Ctrl-C ends.\n')
