// A separate process that a test can kill. It runs the chain in the given folder and prints the process id of its node.
import { openWorld } from './world.ts'

const [, , dir = '', masterKey = ''] = process.argv
const world = await openWorld({ dir, masterKey: Buffer.from(masterKey, 'hex') })
process.stdout.write(`${world.embedded.pid()}\n`)
setInterval(() => undefined, 1_000)
