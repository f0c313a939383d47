import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { toWallet } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { FileReader, FileRow } from '../../ports.ts'
import { type FileLink, fileLink } from '../../records/file.ts'
import { type Deps, operation } from '../operation.ts'
import { findFile } from './findFile.ts'

/** The parts of an address that needs no header: who made it, until when it works, and the signature of both. */
export const linkParts = {
  by: z.string().max(200).optional().describe('Of an address from POST /v1/files/{file_id}/link'),
  until: z.coerce.number().int().optional(),
  sig: z.string().max(100).optional(),
}
type LinkParts = { by?: string | undefined; until?: number | undefined; sig?: string | undefined }

type Reach = Pick<Deps, 'files' | 'clock' | 'settings'>

/** An address with the rights of its maker, which ends with them: the file is looked for as if the maker asked. */
export const writeLink = async ({ files, clock, settings }: Reach, file: FileRow, reader: FileReader): Promise<FileLink> => {
  const by = reader.wallet ?? reader.agentKey ?? ''
  const until = clock.now() + limits.fileLinkMs
  const query = new URLSearchParams({ by, until: String(until), sig: await files.sign(toSigned(file.id, by, until)) })
  return { url: `${settings.publicUrl}/v1/files/${file.id}?${query}`, expires_at: new Date(until).toISOString(), made_by: by }
}

const toSigned = (id: string, by: string, until: number) => JSON.stringify([id, by, until])

/**
 * The maker of an address.
 * @throws Problem file-not-found when the address is not ours, or its time is over
 */
export const readerOfLink = async ({ files, clock }: Reach, id: string, { by, until, sig }: LinkParts): Promise<FileReader> => {
  if (by === undefined || until === undefined || sig === undefined || until <= clock.now()) throw new Problem('file-not-found')
  const expected = Buffer.from(await files.sign(toSigned(id, by, until)))
  const given = Buffer.from(sig)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw new Problem('file-not-found')
  const wallet = toWallet(by)
  return wallet === undefined ? { wallet, agentKey: by } : { wallet }
}

export const linkFile = operation({
  name: 'linkFile',
  summary: 'An address of a file for a program that can send no header. It lives for five minutes and names who made it.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ file_id: z.string().max(100) }),
  output: fileLink,

  async run({ file_id }, deps, caller) {
    return writeLink(deps, await findFile(deps, file_id, caller), caller)
  },
})
