import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { filesUnder } from './filesUnder.ts'

const bucket = 'market-files'
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/**
 * An object store that speaks S3. s3rver, which was not written here, keeps the objects. It verifies neither signatures nor bodies, so
 * a gate in front of it does, and takes a body whole or not at all.
 */
export const startS3 = async () => {
  const directory = await mkdtemp(join(tmpdir(), 's3-'))
  const inner = new S3rver({
    directory,
    silent: true,
    port: 0,
    address: '127.0.0.1',
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port: innerPort } = await inner.run()
  let failing = 0
  const refused: string[] = []
  const gate = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    const refusal = failing > 0 ? 'SlowDown' : refusalOf(request, body)
    failing = Math.max(0, failing - 1)
    if (refusal) {
      refused.push(refusal)
      return response.writeHead(refusal === 'SlowDown' ? 503 : 403).end(`<Error><Code>${refusal}</Code></Error>`)
    }
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, expect: _expect, ...headers } = request.headers
    const answer = await fetch(`http://127.0.0.1:${innerPort}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) Readable.fromWeb(answer.body).pipe(response)
    else response.end()
  })
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const { port } = gate.address() as AddressInfo
  return {
    env: {
      FILES_URL: `s3://${bucket}/files`,
      FILES_ENDPOINT: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    refused,
    /** The next requests are refused as by a store that is overloaded. */
    failNext: (count: number) => {
      failing = count
    },
    /** Paths of all objects on the disk of the store. */
    objects: async () => (await filesUnder(directory)).filter(it => it.endsWith('_object')),
    async stop() {
      gate.closeAllConnections()
      gate.close()
      await inner.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, it => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
const hashOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Recomputes signature and hash of a request from what arrived (AWS Signature Version 4). */
const refusalOf = ({ method, headers, url = '' }: IncomingMessage, body: Buffer): string | undefined => {
  const { pathname, searchParams } = new URL(url, 'http://store')
  const [, key, scope = '', names = '', signature] =
    /Credential=(\w+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
  if (key !== credentials.accessKeyId) return 'InvalidAccessKeyId'
  const said = String(headers['x-amz-content-sha256'])
  if (said !== 'UNSIGNED-PAYLOAD' && said !== hashOf(body)) return 'XAmzContentSHA256Mismatch'
  if (method === 'PUT' && Number(headers['content-length']) !== body.length) return 'IncompleteBody'
  const query = [...searchParams].map(pair => pair.map(encode).join('=')).sort()
  const lines = names.split(';').map(name => `${name}:${headers[name]}`)
  const canonical = [method, pathname, query.join('&'), ...lines, '', names, said].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hashOf(canonical)].join('\n')
  let signing: string | Buffer = `AWS4${credentials.secretAccessKey}`
  for (const part of scope.split('/')) signing = createHmac('sha256', signing).update(part).digest()
  return createHmac('sha256', signing).update(toSign).digest('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}
