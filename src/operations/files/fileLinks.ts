import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { toWallet } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { FileReader, Job } from '../../ports.ts'
import { type FileLink, fileLink } from '../../records/file.ts'
import { type Deps, operation } from '../operation.ts'
import { findFile } from './findFile.ts'

/** The parts of an address that needs no header: who made it, until when it works, and the signature of both. */
export const linkParts = {
  by: z.string().max(200).optional().describe('Of an address from POST /v1/files/{file_id}/link'),
  until: z.coerce.number().int().optional(),
  sig: z.string().max(100).optional(),
}
export type LinkParts = { by?: string | undefined; until?: number | undefined; sig?: string | undefined }

type Reach = Pick<Deps, 'files' | 'clock' | 'settings'>

/** An address with the rights of its maker, which ends with them: the file is looked for as if the maker asked. */
export const writeLink = async (
  { files, settings }: Omit<Reach, 'clock'>,
  { id, until }: { id: string; until: number },
  reader: FileReader,
): Promise<FileLink> => {
  const by = reader.wallet ?? reader.agentKey ?? ''
  const query = new URLSearchParams({ by, until: String(until), sig: await files.sign(toSigned(id, by, until)) })
  return { url: `${settings.publicUrl}/v1/files/${id}?${query}`, expires_at: toIso(until), made_by: by }
}

const toSigned = (id: string, by: string, until: number) => JSON.stringify([id, by, until])

/** Whether the signature of an address is ours, and its time is not over. */
const isValid = async ({ files, clock }: Reach, id: string, { by, until, sig }: LinkParts): Promise<boolean> => {
  if (by === undefined || until === undefined || sig === undefined || until <= clock.now()) return false
  const expected = Buffer.from(await files.sign(toSigned(id, by, until)))
  const given = Buffer.from(sig)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/**
 * The maker of an address.
 * @throws Problem file-not-found when the address is not ours, or its time is over
 */
export const readerOfLink = async (deps: Reach, id: string, link: LinkParts): Promise<FileReader> => {
  if (!(await isValid(deps, id, link))) throw new Problem('file-not-found')
  const wallet = toWallet(link.by ?? '')
  return wallet === undefined ? { wallet, agentKey: link.by } : { wallet }
}

/** The address at which whoever holds a lease uploads files: its attempt is signed, so it ends with the lease. */
export const writeUploadUrl = async (
  { files, settings }: Omit<Reach, 'clock'>,
  { id, attempt, until }: { id: string; attempt: number; until: number },
): Promise<string> => {
  const by = String(attempt)
  const query = new URLSearchParams({ by, until: String(until), sig: await files.sign(toSigned(`upload ${id}`, by, until)) })
  return `${settings.publicUrl}/gateway/jobs/${id}/files?${query}`
}

/** Whether an address was made for this lease of a job. */
export const isUploadUrlOf = async (deps: Reach, job: Pick<Job, 'id' | 'attempt' | 'state'>, link: LinkParts): Promise<boolean> =>
  job.state === 'leased' && link.by === String(job.attempt) && (await isValid(deps, `upload ${job.id}`, link))

export const linkFile = operation({
  name: 'linkFile',
  summary: 'An address of a file for a program that can send no header. It lives for five minutes and names who made it.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ file_id: z.string().max(100) }),
  output: fileLink,

  async run({ file_id }, deps, caller) {
    const { id } = await findFile(deps, file_id, caller)
    return writeLink(deps, { id, until: deps.clock.now() + limits.fileLinkMs }, caller)
  },
})
