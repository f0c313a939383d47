import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Json, type JsonObject, parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { fieldsOf } from '../../domain/schema.ts'
import type { Asked, Source } from './source.ts'

export type CommandOptions = {
  /** Program and arguments; `{field}` in an argument is replaced by a member of the input. */
  command: string[]
  name: string
  description: string
  requirement?: JsonObject
  deliverable?: JsonObject
  /** The member of the input that is written to the program's standard input; `-` for the whole input as JSON. */
  stdin?: string
  env: Record<string, string>
}

const slot = /\{([A-Za-z_][\w-]*)\}/g
/** Maximum characters of a program's error output that are kept, from its end. */
const reasonChars = 1_000

/** Offers a program as one offering. It is started without a shell for each job, and stopped at the job's deadline. */
export const openCommand = (options: CommandOptions): Source => {
  const { command, name, description, deliverable = {} } = options
  const fields = new Set(command.slice(1).flatMap(it => [...it.matchAll(slot)].flatMap(match => match[1] ?? [])))
  const requirement = options.requirement ?? toRequirement([...fields])
  const known = new Set(fieldsOf(requirement).map(it => it.name))
  const unknown = [...fields, ...(options.stdin && options.stdin !== '-' ? [options.stdin] : [])].filter(it => !known.has(it))
  if (unknown.length > 0) throw new Error(`The requirement has no member ${unknown.join(', ')}.`)
  return {
    name,
    description,
    capabilities: [{ id: name, name, description, requirement, deliverable }],
    call: asked => perform(options, asked),
    close: async () => undefined,
  }
}

const toRequirement = (fields: string[]): JsonObject =>
  fields.length === 0
    ? {}
    : { type: 'object', required: fields, properties: Object.fromEntries(fields.map(it => [it, { type: 'string' }])) }

const perform = async ({ command, stdin, env }: CommandOptions, { input, text, signal }: Asked): Promise<Json> => {
  const [program = '', ...template] = command
  const args = template.map((it, at) => fill(it, input, template.slice(0, at).includes('--')))
  const child = spawn(program, args, { env, stdio: 'pipe', signal, shell: false })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said.out += chunk
    if (said.out.length > limits.deliverableBytes) child.kill()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said.err = (said.err + chunk).slice(-reasonChars)
  })
  // A program that does not read its input closes the pipe early, which is no error.
  child.stdin.on('error', () => undefined)
  child.stdin.end(toStandardInput(stdin, input, text))
  const [code] = await once(child, 'close', { signal })
  if (said.out.length > limits.deliverableBytes) throw new Error('The program wrote more than a deliverable may have.')
  if (code !== 0) throw new Error(said.err.trim() || `The program ended with code ${code}.`)
  return parseJson(said.out) ?? said.out
}

const toStandardInput = (stdin: string | undefined, input: JsonObject, text: string): string => {
  if (stdin === undefined) return ''
  if (stdin === '-') return text
  return toArgument(input[stdin])
}

const toArgument = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/**
 * Replaces the fields of an argument. A stranger's value must not become an option of the program. It may start an argument
 * with a dash only after `--` in the command line.
 */
const fill = (template: string, input: JsonObject, isAfterOptions: boolean): string => {
  const filled = template.replace(slot, (_all, name: string) => toArgument(input[name]))
  if (filled.startsWith('-') && !template.startsWith('-') && !isAfterOptions)
    throw new Error('A value that begins an argument may not begin with a dash.')
  if (filled.includes('\0')) throw new Error('A value may not contain a null character.')
  return filled
}
