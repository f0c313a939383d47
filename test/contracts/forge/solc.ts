#!/usr/bin/env node
// Wraps the npm package solc with the part of solc's command line that forge uses.
import { text } from 'node:stream/consumers'
import solc from 'solc'

if (process.argv.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`)
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(await text(process.stdin)))
} else {
  process.stderr.write(`not understood: ${process.argv.slice(2).join(' ')}\n`)
  process.exitCode = 1
}
