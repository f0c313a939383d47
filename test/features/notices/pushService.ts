import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { importJWK, jwtVerify } from 'jose'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

const notice = z.object({ title: z.string(), body: z.string(), url: z.string(), tag: z.string() })
type Taken = { notice: z.infer<typeof notice>; ttl: string; topic: string; claims: Record<string, unknown> }

/** The keys of a browser, and what it reads of a push (RFC 8291). */
const createBrowserKeys = () => {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    read(body: Buffer): string {
      const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)]
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
      const key = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32))
      const contentKey = Buffer.from(hkdfSync('sha256', key, salt, 'Content-Encoding: aes128gcm\0', 16))
      const nonce = Buffer.from(hkdfSync('sha256', key, salt, 'Content-Encoding: nonce\0', 12))
      const opening = createDecipheriv('aes-128-gcm', contentKey, nonce)
      opening.setAuthTag(body.subarray(-16))
      const plain = Buffer.concat([opening.update(body.subarray(86, -16)), opening.final()])
      return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')
    },
  }
}

/** Verifies who sent a push (RFC 8292): the token is signed with the key beside it, for this push service. */
const readVapid = async (header = '', audience: string) => {
  const { t = '', k = '' } = Object.fromEntries(
    header
      .replace('vapid ', '')
      .split(', ')
      .map(it => it.split(/=(.*)/s)),
  )
  const point = Buffer.from(k, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const { payload } = await jwtVerify(t, await importJWK(jwk, 'ES256'), { audience })
  return { key: k, claims: payload }
}

/** A push service on this machine, with one browser. It verifies and decrypts what it gets, as both would. */
export const startPushService = async () => {
  const browser = createBrowserKeys()
  const taken: Taken[] = []
  const keys = new Set<string>()
  let statuses: number[] = []
  let asked = 0
  const server = createServer((request, answer) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', async () => {
      asked += 1
      const status = statuses.shift() ?? 201
      const { key, claims } = await readVapid(request.headers.authorization, origin)
      keys.add(key)
      const said = notice.parse(JSON.parse(browser.read(Buffer.concat(parts))))
      const { ttl, topic } = request.headers
      if (status === 201) taken.push({ notice: said, ttl: String(ttl), topic: String(topic), claims })
      answer.writeHead(status).end()
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  onTestFinished(() => void server.close())
  return {
    subscription: { endpoint: `${origin}/send/abc`, keys: browser.keys },
    taken,
    keys,
    asked: () => asked,
    /** The next answers, before it takes everything again. */
    answer: (next: number[]) => {
      statuses = next
    },
  }
}
