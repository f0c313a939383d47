import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileMembersOf } from '../../domain/files/fileMembers.ts'
import { toFileName } from '../../domain/files/fileName.ts'
import { isObject, type Json, type JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { JobFile } from '../files.ts'

type Given = { requirement: JsonObject; input: JsonObject; files: readonly JobFile[] }
/** The input with the paths of its files, and an empty folder for files that the program makes. */
type Folder = { input: JsonObject; output: string }

/** Saves the files of a job in a folder of their own, which is removed after the work. */
export const inFolder = async <T>({ requirement, input, files }: Given, work: (of: Folder) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'market-job-'))
  try {
    const output = join(folder, 'output')
    await mkdir(output)
    const paths = new Map<Json, string>()
    for (const file of files) paths.set(file.id, await save(file, join(folder, String(paths.size))))
    return await work({ input: withPaths(requirement, input, paths), output })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const save = async (file: JobFile, folder: string): Promise<string> => {
  await mkdir(folder)
  const path = join(folder, toFileName(file.name))
  await pipeline(Readable.fromWeb(await file.stream()), createWriteStream(path))
  return path
}

/** @throws Error for a file that did not come, because a path of the buyer's is no file of the job */
const withPaths = (requirement: JsonObject, input: JsonObject, paths: ReadonlyMap<Json, string>): JsonObject => {
  const toPath = (name: string) => (id: Json) => {
    const path = paths.get(id)
    if (path === undefined) throw new Error(`The file of ${name} did not come. Only a hired job takes files.`)
    return path
  }
  const members = fileMembersOf(requirement).flatMap(({ name }) => {
    const value = input[name]
    if (value === undefined) return []
    return [[name, Array.isArray(value) ? value.map(toPath(name)) : toPath(name)(value)] as const]
  })
  return { ...input, ...Object.fromEntries(members) }
}

/** The files in a folder, by name. Folders in it, links and hidden files are left out. */
export const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.flatMap(it => (it.isFile() && !it.name.startsWith('.') ? [it.name] : []))
  if (names.length > limits.filesOfJob)
    throw new Error(`The program made ${names.length} files; a job has at most ${limits.filesOfJob}.`)
  return names.toSorted()
}

/** The schema of a list of files, and of a text beside them. */
export const filesSchema: JsonObject = {
  type: 'object',
  required: ['files'],
  properties: { text: { type: 'string' }, files: { type: 'array', minItems: 1, items: { type: 'string', format: 'file' } } },
}

/**
 * What a program said, with its files in the file members of the deliverable: those that a value names, and else in order. A list
 * takes all that are left. A text that is no object becomes the first text member.
 * @param ids the ids of uploaded files by their names
 */
export const withFiles = (schema: JsonObject, said: Json, ids: ReadonlyMap<string, string>): JsonObject => {
  const members = fileMembersOf(schema)
  const names = new Set(members.map(it => it.name))
  const properties = Object.keys(isObject(schema.properties) ? schema.properties : {})
  const text = properties.find(it => !names.has(it))
  const value: JsonObject = isObject(said) ? { ...said } : text === undefined || said === '' ? {} : { [text]: said }
  const left = new Map(ids)
  const take = (name: string) => {
    const id = left.get(name)
    left.delete(name)
    return id ?? name
  }
  for (const { name } of members) {
    const given = value[name]
    if (typeof given === 'string') value[name] = take(given)
    if (Array.isArray(given)) value[name] = given.map(it => (typeof it === 'string' ? take(it) : it))
  }
  for (const { name, isList } of members) {
    const [first] = left.keys()
    if (name in value || first === undefined) continue
    value[name] = isList ? [...left.keys()].map(take) : take(first)
  }
  return value
}
