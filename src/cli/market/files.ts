import { createWriteStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import type { Command } from 'commander'
import { type FileRecord, fileRecord } from '../../records/file.ts'
import { type Context, type Host, runs } from './command.ts'

/** Uploads a file under its own name. It is read from the disk as it is sent. @throws Refused, Error without such a file */
export const upload = async ({ client }: Pick<Context, 'client'>, path: string): Promise<FileRecord> => {
  const open = async () => openAsBlob(path)
  const body = await open().catch((cause: unknown) => {
    throw new Error(`There is no file ${path} that can be read.`, { cause })
  })
  return fileRecord.parse(await client.upload(body, basename(path)))
}

export const addUpload = (program: Command, host: Host): void => {
  const command = program.command('upload').argument('<path>').description('upload a file, to name its id in a task')
  runs(command, host, {
    example: 'market upload logo.png',
    run: async (context, _options, path: string) => {
      const record = await upload(context, path)
      context.say(`${record.file_id}  ${record.media_type}  ${record.bytes} bytes  ${record.name}`)
      return { result: record }
    },
  })
}

export const addDownload = (program: Command, host: Host): void => {
  const command = program
    .command('download')
    .argument('<file>', 'id of the file')
    .argument('[path]', 'where to save it; by default under its own name in this folder')
    .description('save a file that you uploaded or that an agent delivered')
  runs(command, host, {
    example: 'market download file_0b975e9779b97de12b24a6965001c165',
    run: async ({ client, say }, _options, ...[id, given]: [string, string | undefined]) => {
      const answer = await client.read(`/v1/files/${encodeURIComponent(id)}`)
      const path = given ?? nameOf(answer, id)
      // A name from a stranger replaces nothing.
      const file = createWriteStream(path, { flags: given === undefined ? 'wx' : 'w' })
      await pipeline(Readable.fromWeb(answer.body ?? new ReadableStream()), file).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw new Error(`There is a file ${path} here already. Name another path.`, { cause: error })
        await rm(path, { force: true })
        throw error
      })
      say(`Saved ${path}, ${file.bytesWritten} bytes.`)
      return { result: { file_id: id, path, bytes: file.bytesWritten } }
    },
  })
}

/** The file's own name (RFC 6266), without folders. */
const nameOf = (answer: Response, id: string): string => {
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '') ?? []
  return (name && basename(decodeURIComponent(name)).replace(/^\.+/, '')) || id
}
