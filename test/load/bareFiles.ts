import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

// A bare server that hashes and encrypts one file as it comes, keeps it on the disk, and decrypts it as it goes.
const path = join(process.argv[2] ?? '.', 'bare')
const [key, iv] = [randomBytes(32), randomBytes(12)]
let tag = Buffer.alloc(16)

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    const hash = createHash('sha256')
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    const hashed = new Transform({
      transform(chunk, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    await pipeline(request, hashed, cipher, createWriteStream(path, { flush: true }))
    tag = cipher.getAuthTag()
    response.end(JSON.stringify({ sha256: hash.digest('hex') }))
    return
  }
  // A client that has what it wanted breaks off.
  await pipeline(createReadStream(path), createDecipheriv('aes-256-gcm', key, iv).setAuthTag(tag), response).catch(
    () => undefined,
  )
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
