import type { Command } from 'commander'
import type { Environment } from './command.ts'

// Variables that nearly every program needs and that hold no credentials. The names of Windows are those of the MCP SDK.
const unixNames = 'PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_\\w+|TZ|TMPDIR|TMP|TEMP|XDG_\\w+_HOME'
const windowsNames =
  'SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|HOMEDRIVE|HOMEPATH|PROGRAMFILES|PROCESSOR_ARCHITECTURE'
const common = new RegExp(`^(${unixNames}|${windowsNames})$`, 'i')

const secrets = new Set(['SERVICE_PROXY_AUTH', 'SERVICE_WALLET_PRIVATE_KEY'])

/** Adds the option that names what a wrapped program gets of the environment. */
export const withEnv = (command: Command): Command =>
  command.option(
    '--env <variable>',
    'an environment variable for the program, NAME or NAME=value; it gets PATH, HOME, the locale and the like without it',
    (variable: string, before: string[]) => [...before, variable],
    [],
  )

/** Returns the variables whose name passes. */
export const only = (env: Environment, passes: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value !== undefined && passes(name) ? [[name, value]] : [])))

/**
 * Returns what a wrapped program gets: the common variables and the named ones of this process, and those set on the command
 * line. The credentials of this market and of other programs stay here.
 * @throws Error for a named variable that is not set
 */
export const toEnvironment = (
  env: Environment,
  named: string[],
): { env: Record<string, string>; variables: Record<string, string> } => {
  const passed = new Set(named.filter(it => !it.includes('=')))
  const ours = [...passed].find(name => secrets.has(name))
  if (ours !== undefined) throw new Error(`${ours} is a credential of this market. No other program gets it.`)
  const missing = [...passed].find(name => env[name] === undefined)
  if (missing !== undefined) throw new Error(`The variable ${missing} is not set.`)
  const set = named.flatMap(it => (it.includes('=') ? [[it.slice(0, it.indexOf('=')), it.slice(it.indexOf('=') + 1)]] : []))
  return { env: only(env, name => common.test(name) || passed.has(name)), variables: Object.fromEntries(set) }
}
