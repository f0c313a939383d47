import { takesSome } from '../../../src/domain/files/assignFiles.ts'
import { takingMembersOf } from '../../../src/domain/files/fileMembers.ts'
import { namesKind, toKindName, toTypeWords } from '../../../src/domain/files/fileTypes.ts'
import type { GivenFile } from '../../../src/domain/files/namedFile.ts'
import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { fieldsOf } from '../../../src/domain/schemas/schema.ts'
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

type Found = { ref: ButlerState['found'][number]; listing: Listing }

/** Whether an offering takes as text what one of the files holds: a member for text that names its kind, such as `csv`. */
const takesAsText = ({ requirement }: Listing, files: readonly GivenFile[]): boolean =>
  fieldsOf(requirement ?? {}).some(
    ({ name, type, description }) =>
      type === 'string' && files.some(it => namesKind(`${name.replaceAll('_', ' ')} ${description}`, it.mediaType)),
  )

/** Whether an offering that takes the files as text fits the words better than all that take them as files. */
const meansText = ({ files }: ButlerState, { taking, others }: { taking: Found[]; others: Found[] }): boolean => {
  const most = Math.max(0, ...taking.map(it => it.ref.coverage))
  return others.some(({ ref, listing }) => ref.coverage > most && takesAsText(listing, files))
}

/**
 * Whether the words name a kind of file that the user did not give, and fit an offering for it better than all that take what was
 * given. An example is "extract the text of this PDF", sent with a picture.
 */
const meansOtherKind = ({ said, files }: ButlerState, { taking, others }: { taking: Found[]; others: Found[] }): boolean => {
  const words = said.at(-1) ?? ''
  const isNamed = (types: string) => types.split(',').some(it => namesKind(words, it.trim()))
  if (files.some(it => isNamed(it.mediaType))) return false
  const most = Math.max(0, ...taking.map(it => it.ref.coverage))
  return others.some(
    ({ ref, listing }) => ref.coverage > most && takingMembersOf(listing.requirement).some(it => isNamed(it.mediaType)),
  )
}

/** The offerings found that can use a file of the request; none where another file is meant. Without files, all of them. */
export const keepTakers = async (
  { readListing }: Pick<ButlerDeps, 'readListing'>,
  state: ButlerState,
): Promise<{ found: ButlerState['found']; others: Listing[] }> => {
  const { found, files } = state
  if (files.length === 0) return { found, others: [] }
  const read = await Promise.all(found.map(async ref => ({ ref, listing: await readListing(ref.agentId, ref.offeringId) })))
  const live = read.flatMap(({ ref, listing }) => (listing ? [{ ref, listing }] : []))
  const taking = live.filter(it => takes(it.listing, files))
  const others = live.filter(it => !takes(it.listing, files))
  const sides = { taking, others }
  const kept = meansOtherKind(state, sides) || meansText(state, sides) ? [] : taking
  return { found: kept.map(it => it.ref), others: others.map(it => it.listing) }
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
  const told = others.slice(0, namedOthers).map(listing => {
    const { name, agentHandle, requirement } = listing
    const types = takingMembersOf(requirement).map(it => toTypeWords(it.mediaType))
    if (takesAsText(listing, state.files)) return `“${name}” by ${agentHandle} takes it as text: paste it into your message.`
    return `“${name}” by ${agentHandle} takes ${types.length > 0 ? [...new Set(types)].join(' and ') : 'no files'}.`
  })
  const text = [`Nothing here that fits your words takes ${kinds}.`, ...told, await deps.unpaid(state.runId)]
  return {
    ...{ pick: undefined, stage: 'none', act: 'none', next: [], choices: [] },
    content: await say(deps, state, { key: 'refused', text: text.filter(Boolean).join(' ') }),
    unplanned: [...new Set([...state.unplanned, ...(state.act === 'task' ? state.said.slice(-1) : [])])],
  }
}
