import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileMembersOf } from '../../domain/files/fileMembers.ts'
import { type Json, type JsonObject, parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { fieldsOf } from '../../domain/schemas/schema.ts'
import { filesIn, filesSchema, withFiles } from './folder.ts'
import { createPrograms } from './program.ts'
import { readPrograms } from './programTexts.ts'
import type { Asked, Source } from './source.ts'

export type CommandOptions = {
  /** Program and arguments; `{field}` in an argument is replaced by a member of the input. */
  command: string[]
  name: string
  description: string
  requirement?: JsonObject
  deliverable?: JsonObject
  /** Members that are files, where there is no requirement. Their value is a path. */
  files?: string[]
  /** The member of the input that is written to the program's standard input; `-` for the whole input as JSON. */
  stdin?: string
  env: Record<string, string>
  /** Further variables; `{field}` in a value is replaced by a member of the input. */
  variables?: Record<string, string>
  /** Time from the deadline, when the program is asked to end, to its end by force, in ms. */
  killAfterMs?: number
}

const slot = /\{([A-Za-z_][\w-]*)\}/g
/** The slot for the path of a folder, whose files are delivered. */
const folderSlot = '{output_folder}'
const slotsOf = (text: string): string[] => [...text.matchAll(slot)].flatMap(match => match[1] ?? [])

/** Variables that name programs, or options of a program. */
const powerful =
  /^(PATH|IFS|ENV|SHELL|EDITOR|VISUAL|PAGER|(LD|DYLD|GIT|BASH|JAVA|JDK)_\w*|\w*(OPTIONS|OPTS?|PATH|LIB|STARTUP|COMMAND))$/i

/** Offers a program as one offering. It is started without a shell for each job, and stopped at the job's deadline. */
export const openCommand = (options: CommandOptions): Source => {
  const { command, name, description, variables = {}, killAfterMs } = options
  const hasFolder = [...command, ...Object.values(variables)].some(it => it.includes(folderSlot))
  const deliverable = options.deliverable ?? (hasFolder ? filesSchema : {})
  if (hasFolder && fileMembersOf(deliverable).length === 0)
    throw new Error(`${folderSlot} needs a deliverable with a member of the format file.`)
  refusePrograms(options)
  const fields = new Set([...command.slice(1), ...Object.values(variables)].flatMap(slotsOf))
  if (options.stdin !== undefined && options.stdin !== '-') fields.add(options.stdin)
  fields.delete('output_folder')
  const requirement = options.requirement ?? toRequirement([...fields], options.files ?? [])
  const known = new Set(fieldsOf(requirement).map(it => it.name))
  const unknown = [...fields].filter(it => !known.has(it))
  if (unknown.length > 0) throw new Error(`The requirement has no member ${unknown.join(', ')}.`)
  const programs = createPrograms(killAfterMs)
  return {
    name,
    description,
    capabilities: [{ id: name, name, description, requirement, deliverable }],
    call: async asked => {
      const run = await toRun(options, requirement, asked)
      const made = asked.files && !hasFolder ? { name: toOutputName(name, deliverable), ...asked.files } : undefined
      const printed = await programs.run(command[0] ?? '', { ...run, ...(made && { mostBytes: limits.fileBytes }) })
      if (made) return withFiles(deliverable, '', new Map([[made.name, await made.upload(printed, made.name)]]))
      const text = printed.toString()
      const said = parseJson(text) ?? text
      return asked.files ? withFiles(deliverable, said, await uploadAll(asked.files)) : said
    },
    close: programs.close,
  }
}

const remedy =
  `Give it as an argument of its own (sh -c 'echo "$1" | wc -w' sh {text}), as a variable (--env TEXT={text}, ` +
  'then "$TEXT"), or by --stdin text. Braces that name no member need a space: { print }.'

/** @throws Error when what a buyer sends would run as a program */
const refusePrograms = ({ command, stdin, variables = {} }: CommandOptions): void => {
  const { texts, runsInput } = readPrograms(command)
  const at = command.findIndex((it, position) => texts.has(position) && slotsOf(it).length > 0)
  if (at > 0) throw new Error(`A buyer could run any program: ${command[at]} is read as a program or an option of one. ${remedy}`)
  if (stdin !== undefined && runsInput)
    throw new Error(
      `A buyer could run any program: ${command.join(' ')} reads its standard input as a program. Put the program into a file.`,
    )
  const named = Object.keys(variables).find(name => powerful.test(name) && slotsOf(variables[name] ?? '').length > 0)
  if (named) throw new Error(`A buyer could run any program: the variable ${named} changes what programs do.`)
}

/** The name of a file that a program prints, with an extension where the deliverable allows one type only. */
const toOutputName = (name: string, deliverable: JsonObject): string => {
  const [, extension] = /^\w+\/([\w-]+)$/.exec(fileMembersOf(deliverable)[0]?.mediaType ?? '') ?? []
  return extension === undefined ? name : `${name}.${extension}`
}

/** Uploads what the program made. @returns ids by names */
const uploadAll = async ({ folder, upload }: NonNullable<Asked['files']>): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (const name of await filesIn(folder)) ids.set(name, await upload(join(folder, name), name))
  return ids
}

const toRequirement = (fields: string[], files: string[]): JsonObject =>
  fields.length === 0
    ? {}
    : { type: 'object', required: fields, properties: Object.fromEntries(fields.map(it => [it, toMember(it, files)])) }

const toMember = (name: string, files: string[]): JsonObject => ({
  type: 'string',
  ...(files.includes(name) && { format: 'file' }),
})

const toRun = async (
  { command, stdin, env, variables = {} }: CommandOptions,
  requirement: JsonObject,
  { input: given, text, signal, files }: Asked,
) => {
  const input = { ...given, ...(files && { output_folder: files.folder }) }
  const isFile = fileMembersOf(requirement).some(it => it.name === stdin && !it.isList)
  const path = stdin === undefined ? undefined : given[stdin]
  const template = command.slice(1)
  const set = Object.entries(variables).map(([name, value]) => [name, withValues(value, input)])
  return {
    args: template.map((it, at) => toArgument(it, input, template.slice(0, at))),
    env: { ...env, ...Object.fromEntries(set) },
    input: isFile && typeof path === 'string' ? await readFile(path) : toStandardInput(stdin, input, text),
    signal,
  }
}

const toStandardInput = (stdin: string | undefined, input: JsonObject, text: string): string => {
  if (stdin === undefined) return ''
  if (stdin === '-') return text
  return toText(input[stdin])
}

const toText = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const withValues = (template: string, input: JsonObject): string => {
  const filled = template.replace(slot, (_all, name: string) => toText(input[name]))
  if (filled.includes('\0')) throw new Error('A value may not contain a null character.')
  return filled
}

/** Start of a value that many programs replace by the content of a file: `@file` (curl, gcc, ImageMagick), and file URLs. */
const ofFile = /^\s*(@|fileb?:)/i
/** In a form of curl, `<file` is read too. */
const ofForm = /^\s*(@|<|fileb?:)/i

/**
 * Fills an argument. A stranger's value must not become an option of the program or name a file to read. It may begin an
 * argument with a dash or an @ only after `--` in the command line.
 */
const toArgument = (template: string, input: JsonObject, before: string[]): string => {
  const filled = withValues(template, input)
  if (before.includes('--')) return filled
  if (filled.startsWith('-') && !template.startsWith('-'))
    throw new Error('A value that begins an argument may not begin with a dash.')
  for (const { index, 1: name = '' } of template.matchAll(slot)) {
    const value = toText(input[name])
    const last = template.charAt(index - 1)
    const isEncoded = index === 0 && before.at(-1) === '--data-urlencode' && value.includes('@')
    const readsFile = last === '=' ? ofForm.test(value) : (index === 0 || last === ':') && ofFile.test(value)
    if (isEncoded || readsFile) throw new Error('A value may not name a file to read: it may not begin with @ or file:.')
  }
  return filled
}
