import { assignFiles } from '../../../src/domain/files/assignFiles.ts'
import { type FileMember, takingMembersOf } from '../../../src/domain/files/fileMembers.ts'
import { toTypeWords } from '../../../src/domain/files/fileTypes.ts'
import type { GivenFile } from '../../../src/domain/files/namedFile.ts'
import type { Json, JsonObject } from '../../../src/domain/json.ts'
import type { Question } from '../../../src/domain/runs/question.ts'
import { toLabel } from '../../../src/domain/text/labelled.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState } from '../state.ts'

/** The values of the file members of an offering, and what is still to be asked about them. */
export type FilesFor = {
  values: JsonObject
  /** The question for a file member; undefined for any other. */
  ask(field: string): Question | undefined
  /** An input with the names of its files, for people. */
  named(input: JsonObject): JsonObject
}

const none: FilesFor = { values: {}, ask: () => undefined, named: it => it }

/** Gives the files of the request to the file members of a form, or those of the conversation that the words speak of. */
export const filesFor = async (deps: ButlerDeps, state: ButlerState, form: JsonObject): Promise<FilesFor> => {
  const members = takingMembersOf(form)
  if (members.length === 0) return none
  const { runId, files: given, input: known, said } = state
  const earlier = given.length > 0 ? [] : await deps.recallFiles(runId)
  const { values, unclear } = assignFiles(members, { given, earlier, words: said.at(-1) ?? '', known })
  const names = new Map([...given, ...earlier].map(it => [it.id, it.name]))
  const toName = (value: Json): Json =>
    typeof value === 'string' ? (names.get(value) ?? value) : Array.isArray(value) ? value.map(toName) : value
  return {
    values,
    ask: field => {
      const member = members.find(it => it.name === field)
      const fitting = unclear.find(it => it.member.name === field)?.files ?? []
      // An address is asked for as before, unless several files could be meant.
      return member && (!member.isAddress || fitting.length > 0) ? toQuestion(member, fitting) : undefined
    },
    named: input =>
      Object.fromEntries(
        Object.entries(input).map(([name, it]) => [name, members.some(one => one.name === name) ? toName(it) : it]),
      ),
  }
}

const toQuestion = (member: FileMember, fitting: readonly GivenFile[]): Question => {
  const label = toLabel(member.name)
  const names = [...new Set(fitting.map(it => it.name))]
  if (names.length > 1)
    return {
      field: member.name,
      words: `Which file is the ${label}: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}?`,
      form: { type: 'string', description: '', enum: names },
    }
  return {
    field: member.name,
    words: `Which file is the ${label}? It takes ${toTypeWords(member.mediaType)}.${isText(member.mediaType) ? pasted : ''}`,
    form: { type: member.isList ? 'array' : 'string', format: 'file', description: '' },
  }
}

/** Whether a type of files may be pasted as a text. */
const isText = (mediaType: string): boolean => /(?:^|,\s*)(?:text\/|application\/(?:json|xml|yaml))/i.test(mediaType)
const pasted = ' A pasted text is no file: save it as one and attach it to your next message, or say “no” to leave it.'
