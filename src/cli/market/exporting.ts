import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { type Host, runs } from './command.ts'

const exported = z.object({ run_id: z.string(), steps: z.array(z.object({ node: z.string() })) })

/** Adds `market run export`. */
export const addExportCommand = (run: Command, host: Host): void => {
  const exportCommand = run
    .command('export')
    .argument('<id>')
    .argument('[file]', 'file to write; default: <id>.json')
    .description('write what the butler read and decided in a run to a file, for npm run replay')
  runs(exportCommand, host, {
    example: 'market run export run_1a2b history.json',
    run: async ({ client, say }, _options, ...[id, file]: [string, string?]) => {
      const history = await client.get(`/runs/${encodeURIComponent(id)}/history`)
      const { run_id, steps } = exported.parse(history)
      const path = resolve(file ?? `${run_id}.json`)
      // It has the user's messages, and an existing file is not overwritten.
      await writeFile(path, `${JSON.stringify(history, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
      say(`${path} has ${steps.length} steps: ${steps.map(it => it.node).join(', ')}.`)
      return { result: { run_id, file: path, steps: steps.length } }
    },
  })
}
