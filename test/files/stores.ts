import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTestService, type TestService } from '../service.ts'
import { startS3 } from './s3.ts'

type Given = NonNullable<Parameters<typeof startTestService>[0]>

/** A service with its store of files. `kept` lists the bytes that lie there, drafts included. */
export type FileMarket = { market: TestService; kept(): Promise<Buffer[]>; stop(): Promise<void> }

const inFolder = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter(it => it.isFile())
    .map(it => join(it.parentPath, it.name))
const readAll = (paths: string[]) => Promise.all(paths.map(it => readFile(it)))

/** The places where files are kept: every guarantee about files holds in each of them. */
export const fileStores: Record<string, (given?: Given) => Promise<FileMarket>> = {
  'a folder': async given => {
    const market = await startTestService(given)
    return { market, kept: async () => readAll(await inFolder(join(market.dir, 'files'))), stop: market.stop }
  },
  'a bucket': async given => {
    const store = await startS3()
    const market = await startTestService({ ...given, env: { ...given?.env, ...store.env } })
    return {
      market,
      kept: async () => readAll([...(await store.objects()), ...(await inFolder(join(market.dir, 'files')))]),
      async stop() {
        await market.stop()
        await store.stop()
      },
    }
  },
}
