import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.length)
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([head, named, sum])
}

/** A picture of RGB pixels, three bytes each, in rows. */
export type Pixels = { width: number; height: number; bytes: Buffer }

/** Encodes a picture as PNG (RFC 2083): 8 bits a colour, no transparency, no filter. */
export const toPng = async ({ width, height, bytes }: Pixels): Promise<Uint8Array<ArrayBuffer>> => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y += 1) bytes.copy(rows, y * (width * 3 + 1) + 1, y * width * 3, (y + 1) * width * 3)
  const packed = await promisify(deflate)(rows)
  return new Uint8Array(Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]))
}
