import { takesSome } from '../../../src/domain/files/assignFiles.ts'
import { takingMembersOf } from '../../../src/domain/files/fileMembers.ts'
import { toKindName, toTypeWords } from '../../../src/domain/files/fileTypes.ts'
import type { GivenFile } from '../../../src/domain/files/givenFile.ts'
import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { toQuotable } from '../../../src/domain/text/quotableText.ts'
import type { ButlerDeps, Candidate } from '../deps.ts'
import { say } from '../speak.ts'
import type { ButlerState, Update } from '../state.ts'

const takes = ({ requirement }: Listing, files: readonly GivenFile[]) => takesSome(takingMembersOf(requirement), files)

/** Candidates that can use one of the files come first. */
export const takersFirst = (candidates: Candidate[], files: readonly GivenFile[]): Candidate[] =>
  files.length === 0
    ? candidates
    : candidates.toSorted((a, b) => Number(takes(b.listing, files)) - Number(takes(a.listing, files)))

/** The offerings found that can use a file of the request. Without files, all of them. */
export const keepTakers = async (
  { readListing }: Pick<ButlerDeps, 'readListing'>,
  { found, files }: ButlerState,
): Promise<{ found: ButlerState['found']; others: Listing[] }> => {
  if (files.length === 0) return { found, others: [] }
  const read = await Promise.all(found.map(async ref => ({ ref, listing: await readListing(ref.agentId, ref.offeringId) })))
  return {
    found: read.flatMap(({ ref, listing }) => (listing && takes(listing, files) ? [ref] : [])),
    others: read.flatMap(({ listing }) => (listing && !takes(listing, files) ? [listing] : [])),
  }
}

/** At most this many offerings are named that take something else. */
const namedOthers = 2

const toWords = ({ name, mediaType }: GivenFile): string => {
  const quoted = `“${toQuotable(name, 80)}”`
  return toKindName(mediaType) === undefined ? quoted : `${quoted}, ${toTypeWords(mediaType)}`
}

/** Says that nobody takes the files of the request, and what the nearest offerings take. */
export const refuseFiles = async (deps: ButlerDeps, state: ButlerState, others: readonly Listing[]): Promise<Update> => {
  const kinds = [...new Set(state.files.map(toWords))].join(' or ')
  const told = others.slice(0, namedOthers).map(({ name, agentHandle, requirement }) => {
    const types = takingMembersOf(requirement).map(it => toTypeWords(it.mediaType))
    return `“${name}” by ${agentHandle} takes ${types.length > 0 ? [...new Set(types)].join(' and ') : 'no files'}.`
  })
  const text = [`Nothing here that fits your words takes ${kinds}.`, ...told, await deps.unpaid(state.runId)]
  return {
    ...{ pick: undefined, stage: 'none', act: 'none', next: [], choices: [] },
    content: await say(deps, state, { key: 'refused', text: text.filter(Boolean).join(' ') }),
    unplanned: [...new Set([...state.unplanned, ...(state.act === 'task' ? state.said.slice(-1) : [])])],
  }
}
