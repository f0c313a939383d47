import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = new URL('../../', import.meta.url)
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(await readFile(new URL('package.json', root), 'utf8')))
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const file = /^node (test\/\S+\.ts)$/.exec(line)?.[1]
  return file === undefined ? [] : [[name, file] as const]
})

const failed = z.looseObject({ code: z.number(), stdout: z.string(), stderr: z.string() })
const run = (file: string, option: string) =>
  promisify(execFile)(process.execPath, [file, option], { cwd: root }).then(
    it => ({ code: 0, ...it }),
    (error: unknown) => failed.parse(error),
  )

test.each(commands)('npm run %s answers --help and a wrong option with its usage', async (name, file) => {
  const [helped, refused] = await Promise.all([run(file, '--help'), run(file, '--no-such-option')])
  expect(helped).toMatchObject({ code: 0, stderr: '' })
  expect(helped.stdout).toContain(`Usage: npm run ${name} --`)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/unknown option '--no-such-option'[\s\S]*Usage: npm run/)
})

test('every command of the tests is known here', () => {
  expect(commands.length).toBeGreaterThan(10)
})
