import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { toEnvironment } from '../../src/cli/market/wrappedEnvironment.ts'
import { type CommandOptions, openCommand } from '../../src/kit/wrap/command.ts'
import { until } from '../service.ts'

let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'wrapped-'))
  return () => rm(dir, { recursive: true, force: true })
})

const env = { PATH: process.env.PATH ?? '' }
const open = (command: string[], more: Partial<CommandOptions> = {}) => {
  const source = openCommand({ command, name: 'p', description: 'p', env, ...more })
  onTestFinished(source.close)
  return source
}
const perform = (command: string[], input: Record<string, string>, more: Partial<CommandOptions> = {}) =>
  open(command, more).call({ id: 'p', input, text: JSON.stringify(input), signal: AbortSignal.timeout(20_000) })

const node = process.execPath

test.each([
  [['sh', '-c', 'echo {text} | wc -w']],
  [['/bin/bash', '-lc', 'echo {text}']],
  [['bash', '-o', 'pipefail', '-c', 'echo {text}']],
  [['zsh', '-e', '-c', '{text}']],
  [['sh', '{text}']],
  [['bash', '-s', '{text}']],
  [[node, '-e', 'console.log("{text}")']],
  [[node, '--eval=console.log("{text}")']],
  [['node', '--input-type', 'module', '-pe', '{text}']],
  [['deno', 'eval', '--ext=ts', '{text}']],
  [['python3.12', '-c', 'print("{text}")']],
  [['perl', '-e', 'print "{text}"']],
  [['perl', '-ne', 'print', '{file}']],
  [['ruby', '-e', 'puts "{text}"']],
  [['php', '-r', 'echo "{text}";']],
  [['lua5.4', '-e', '{text}']],
  [['pwsh', '-NoProfile', '-Command', 'Write-Output', '{text}']],
  [['cmd.exe', '/c', 'echo {text}']],
  [['awk', '{text}']],
  [['awk', '-F', ',', 'BEGIN { print "{text}" }']],
  [['jq', '-n', '{text}']],
  [['jq', '--arg', 'a', 'b', '.{text}']],
  [['sed', 's/a/{text}/']],
  [['sed', 'p', '-e', '{text}']],
  [['env', 'LANG=C', 'sh', '-c', 'echo {text}']],
  [['env', 'LANG={text}', 'sort']],
  [['env', '{text}']],
  [['sudo', '-u', 'bob', 'bash', '-c', '{text}']],
  [['timeout', '5', '{text}']],
  [['xargs', '-I%', 'sh', '-c', 'echo {text} %']],
  [['nice', '-n', '5', 'python3', '-c', '{text}']],
  [['ssh', 'host', 'echo', '{text}']],
  [['docker', 'run', '--rm', 'alpine', 'awk', '{text}']],
  [['busybox', 'awk', '{text}']],
  [['./run-in-box', 'sh', '-c', 'echo {text}']],
  [['su', 'bob', '-c', 'echo {text}']],
  [['psql', '-c', "select '{text}'"]],
  [['gdb', '-ex', '{text}']],
])('%j is refused, because a buyer could run any program', command => {
  expect(() => open(command)).toThrow('A buyer could run any program')
})

test.each([
  [['sh', '-c', 'printf %s "$1" | tr a-z A-Z', 'sh', '{text}'], {}, 'HI; ECHO $HOME'],
  [['sh', '-c', 'printf %s "$TEXT" | tr a-z A-Z'], { variables: { TEXT: '{text}' } }, 'HI; ECHO $HOME'],
  [['tr', 'a-z', 'A-Z'], { stdin: 'text' }, 'HI; ECHO $HOME'],
  [['awk', '{ print }'], { stdin: 'text' }, 'hi; echo $HOME\n'],
  [[node, '-e', 'console.log(process.argv[1].length)', '--', '{text}'], {}, 14],
  [['awk', '-v', 't={text}', 'BEGIN { printf "%s", toupper(t) }'], {}, 'HI; ECHO $HOME'],
  [['env', 'LANG=C', 'printf', '%s', '{text}'], {}, 'hi; echo $HOME'],
])('%j gets the text of a buyer as data', async (command, more, delivers) => {
  expect(await perform(command, { text: 'hi; echo $HOME' }, more)).toEqual(delivers)
})

test.each([
  [['sh']],
  [['bash', '-s', 'one']],
  [['python3', '-']],
  [['node']],
  [['bash', '/dev/stdin']],
  [['awk', '-f', '-']],
  [['xargs', 'echo']],
  [['sudo', 'sh']],
  [['sqlite3', 'own.db']],
  [['dc']],
])('%j does not read standard input of a buyer, which would be its program', command => {
  expect(() => open(command, { stdin: 'text' })).toThrow('standard input as a program')
})

test('a variable that changes what programs do is not filled by a buyer', () => {
  for (const name of ['PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV', 'PYTHONSTARTUP', 'GIT_SSH_COMMAND'])
    expect(() => open(['cat'], { variables: { [name]: '{text}' } })).toThrow(`the variable ${name} changes what programs do`)
})

test('a value cannot name a file that a program then reads', async () => {
  for (const [command, text] of [
    [['echo', '-d', '{text}'], '@/etc/hostname'],
    [['echo', '--data={text}'], '@/etc/hostname'],
    [['echo', '-F', 'file={text}'], '</etc/hostname'],
    [['echo', 'label:{text}'], '@/etc/hostname'],
    [['echo', '--data-urlencode', '{text}'], 'x@/etc/hostname'],
    [['echo', '{text}'], 'FILE:///etc/hostname'],
  ] as const)
    await expect(perform([...command], { text })).rejects.toThrow('may not name a file')
  expect(await perform(['echo', '{text}', 'x={text}'], { text: 'me@example.org' })).toBe('me@example.org x=me@example.org\n')
  expect(await perform(['echo', '--', '{text}'], { text: '@bob' })).toBe('-- @bob\n')
})

test('a program gets the common variables and those that its owner names, no credential', async () => {
  const own = { ...env, LC_ALL: 'C', AWS_SECRET_ACCESS_KEY: 'a', MASTER_KEY: 'm', GITHUB_TOKEN: 'g', SERVICE_PROXY_AUTH: 's' }
  const given = toEnvironment(own, ['GITHUB_TOKEN', 'MODE=fast=1'])
  expect(given).toEqual({ env: { ...env, LC_ALL: 'C', GITHUB_TOKEN: 'g' }, variables: { MODE: 'fast=1' } })
  expect(await perform(['sh', '-c', 'printf %s "$GITHUB_TOKEN $MODE $MASTER_KEY"'], {}, given)).toBe('g fast=1 ')
  expect(() => toEnvironment(own, ['NOWHERE'])).toThrow('NOWHERE is not set')
  expect(() => toEnvironment(own, ['SERVICE_PROXY_AUTH'])).toThrow('credential of this market')
})

/** Whether a process runs. One that has ended may stay as a zombie where nothing collects it. */
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

test('a program that ignores its end, and a program it started, are killed after the deadline', async () => {
  const file = join(dir, 'pids')
  const script = `trap '' TERM; (trap '' TERM; while :; do sleep 0.02; done) & echo $$ $! > "$1.new"; mv "$1.new" "$1"; wait`
  const source = open(['sh', '-c', script, 'sh', file], { killAfterMs: 30 })
  const deadline = new AbortController()
  const running = source.call({ id: 'p', input: {}, text: '', signal: deadline.signal })
  await until('the program to run', async () => existsSync(file))
  const pids = (await readFile(file, 'utf8')).trim().split(' ').map(Number)
  expect(pids.map(isAlive)).toEqual([true, true])
  deadline.abort()
  await expect(running).rejects.toThrow(/abort/i)
  await until('their end', async () => !pids.some(isAlive))
})

test('the programs of an agent that stops end with it', async () => {
  const file = join(dir, 'endless')
  const source = open(['sh', '-c', 'echo $$ > "$1.new"; mv "$1.new" "$1"; sleep 60', 'sh', file])
  const running = source.call({ id: 'p', input: {}, text: '', signal: new AbortController().signal })
  const ended = expect(running).rejects.toThrow('ended with code null')
  await until('the program to run', async () => existsSync(file))
  const pid = Number(await readFile(file, 'utf8'))
  await source.close()
  await ended
  expect(isAlive(pid)).toBe(false)
})
