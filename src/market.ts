#!/usr/bin/env node
// The `market` command. It checks the Node version before it loads modules that an older Node cannot parse.
const needed = 24
if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(
    `market needs Node ${needed} or newer; this is ${process.version}. Run it with npx, which finds the one installed here.\n`,
  )
  process.exit(1)
}
await import('./main.ts')
