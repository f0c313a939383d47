import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** The access key that a store knows. */
export type Credentials = { accessKeyId: string; secretAccessKey: string }

/** A gate in front of a store, which verifies signature, hash and size of a request, and takes a body whole or not at all. */
export const openGate = async (innerPort: number, credentials: Credentials) => {
  let failing = 0
  const refused: string[] = []
  const gate = createServer(async (asked, response) => {
    const body = await buffer(asked).catch(() => undefined)
    if (!body) return
    const refusal = failing > 0 ? 'SlowDown' : refusalOf(asked, { body, credentials })
    failing = Math.max(0, failing - 1)
    if (refusal) {
      refused.push(refusal)
      return response.writeHead(refusal === 'SlowDown' ? 503 : 403).end(`<Error><Code>${refusal}</Code></Error>`)
    }
    const { method, url: path, headers } = asked
    const inner = request({ host: '127.0.0.1', port: innerPort, method, path, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    inner.on('error', () => response.destroy()).end(body)
  })
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const { port } = gate.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    refused,
    /** The next requests are refused as by a store that is overloaded. */
    failNext: (count: number) => {
      failing = count
    },
    close() {
      gate.closeAllConnections()
      gate.close()
    },
  }
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, it => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
const hashOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Recomputes signature and hash of a request from what arrived (AWS Signature Version 4). */
const refusalOf = (
  { method, headers, url = '' }: IncomingMessage,
  { body, credentials }: { body: Buffer; credentials: Credentials },
): string | undefined => {
  const { pathname, searchParams } = new URL(url, 'http://store')
  const [, key, scope = '', names = '', signature] =
    /Credential=([\w:]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
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
