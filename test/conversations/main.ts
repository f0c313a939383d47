import { command, print } from '../command.ts'
import { readConversations, readUnmet } from './conversation.ts'
import { openConversationMarket } from './market.ts'
import { playAll } from './play.ts'

const { args: wanted } = command('conversations', 'Runs conversations, and prints which ended otherwise than expected.')
  .argument('[names...]', 'names or tags of conversations; all of them without one')
  .parse()
const all = await readConversations()
const some = all.filter(({ name, tags }) => wanted.length === 0 || wanted.some(it => name.includes(it) || tags.includes(it)))
const market = await openConversationMarket()
const startedAt = performance.now()
const played = await playAll(market, some)
const seconds = (performance.now() - startedAt) / 1000
await market.stop()

const failed = played.filter(it => it.faults.length > 0)
for (const { conversation, faults } of failed) print(`✗ ${conversation.name}\n${faults.map(it => `    ${it}`).join('\n')}`)
const tags = [...new Set(some.flatMap(it => it.tags))]
const count = (tag: string, of: typeof played) => of.filter(it => it.conversation.tags.includes(tag)).length
for (const tag of tags) print(`${tag.padEnd(16)}${count(tag, played)} conversations, ${count(tag, failed)} failed`)
print(`${played.length} conversations, ${failed.length} ended otherwise than written, ${seconds.toFixed(1)} s`)
const unmet = await readUnmet()
const names = new Set(failed.map(it => it.conversation.name))
const lost = [...names].filter(it => !unmet.has(it))
const won = played.map(it => it.conversation.name).filter(it => unmet.has(it) && !names.has(it))
for (const [what, of] of Object.entries({ lost, won })) print(`${what}: ${of.length}${of.map(it => `\n    ${it}`).join('')}`)
process.exitCode = lost.length > 0 ? 1 : 0
