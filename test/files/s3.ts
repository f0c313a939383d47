import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { filesUnder } from './filesUnder.ts'
import { type Credentials, openGate } from './s3Gate.ts'
import { isSwiftWanted, runSwift } from './swift.ts'

const bucket = 'market-files'

/** A store that was not written here. `isObject`: whether a file of its folder holds an object. */
export type Engine = {
  port: number
  credentials: Credentials
  isObject(path: string): boolean
  stop(): Promise<unknown>
}

const runS3rver = async (directory: string): Promise<Engine> => {
  const server = new S3rver({
    directory,
    silent: true,
    port: 0,
    address: '127.0.0.1',
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = await server.run()
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  return { port, credentials, isObject: it => it.endsWith('_object'), stop: () => server.close() }
}

/** An object store that speaks S3, with a gate in front of it: s3rver, or OpenStack Swift where that is asked for. */
export const startS3 = async () => {
  const directory = await mkdtemp(join(tmpdir(), 's3-'))
  const engine = await (isSwiftWanted ? runSwift(directory, bucket) : runS3rver(directory))
  const { credentials } = engine
  const gate = await openGate(engine.port, credentials)
  return {
    env: {
      FILES_URL: `s3://${bucket}/files`,
      FILES_ENDPOINT: gate.endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    refused: gate.refused,
    failNext: gate.failNext,
    /** Paths of all objects on the disk of the store. */
    objects: async () => (await filesUnder(directory)).filter(engine.isObject),
    async stop() {
      gate.close()
      await engine.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
