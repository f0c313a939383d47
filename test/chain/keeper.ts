// A service in a process of its own that a test can kill: keeps the chain in the folder given, and says which node it runs.
import { openWorld } from './world.ts'

const [, , dir = '', masterKey = ''] = process.argv
const world = await openWorld({ dir, masterKey: Buffer.from(masterKey, 'hex') })
process.stdout.write(`${world.embedded.pid()}\n`)
setInterval(() => undefined, 1_000)
