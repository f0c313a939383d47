import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { type FileRecord, fileRecord } from '../../records/file.ts'
import { type Context, type Host, runs } from './command.ts'

/** Uploads a file under its own name. It is read from the disk as it is sent. @throws Refused, Error without such a file */
export const upload = async ({ client }: Pick<Context, 'client'>, path: string): Promise<FileRecord> => {
  const body = await openAsBlob(path).catch((cause: unknown) => {
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
