import type { Context } from 'hono'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import type { Caller } from '../operations/operation.ts'

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * Counts the values and the nesting of JSON text without parsing it. Parsing creates every value and takes a hundred times as
 * long. The text need not be valid.
 * @throws Problem invalid-input with more values or levels than an input may have
 */
export const checkStructure = (bytes: Uint8Array): void => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let values = 1
  let depth = 0
  let isEmpty = false
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0
    if (blanks.has(byte)) continue
    const isEnd = byte === closeList || byte === closeObject
    if (byte === comma || (isEmpty && !isEnd)) values += 1
    isEmpty = byte === openList || byte === openObject
    depth += Number(isEmpty) - Number(isEnd)
    if (byte === quote) at = endOfText(text, at)
    if (depth > limits.jsonDepth) throw tooDeep()
    if (values > limits.jsonValues) throw tooMany()
  }
}

const tooDeep = () => new Problem('invalid-input', `The input is nested more than ${limits.jsonDepth} levels deep.`)
const tooMany = () => new Problem('invalid-input', `The input contains more than ${limits.jsonValues} values.`)

/** The place of the quote that ends a text, or of the last byte. */
const endOfText = (text: Buffer, from: number): number => {
  for (let at = text.indexOf(quote, from + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    let before = at - 1
    while (text[before] === backslash) before -= 1
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}

/**
 * Reads the body of a request, whose size and structure are limited before it is parsed.
 * @param atMost bytes for a caller without a credential
 * @throws Problem body-too-large, invalid-input
 */
export const readBytes = async (
  c: Context,
  { wallet, agentKey }: Pick<Caller, 'wallet' | 'agentKey'>,
  atMost: number = limits.strangerBodyBytes,
): Promise<Uint8Array<ArrayBuffer>> => {
  const isStranger = wallet === undefined && agentKey === undefined
  const most = isStranger ? atMost : limits.bodyBytes
  const length = c.req.header('content-length')
  if (Number(length ?? 0) > most) throw tooLarge(most)
  const bytes = await readAll(c.req.raw, length === undefined ? most : undefined)
  checkStructure(bytes)
  return bytes
}

/**
 * Reads a whole body. A chunked one has no length, so it is read up to `most` bytes.
 * @throws Problem body-too-large; invalid-json when the client breaks off, which is no error of the service
 */
const readAll = async (request: Request, most: number | undefined): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    if (most === undefined) return new Uint8Array(await request.arrayBuffer())
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of request.body ?? []) {
      size += part.byteLength
      if (size > most) throw tooLarge(most)
      parts.push(part)
    }
    return new Uint8Array(Buffer.concat(parts))
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('invalid-json', 'The connection broke off before the whole body came.')
  }
}

const kib = 1_024
const tooLarge = (most: number) =>
  new Problem('body-too-large', `A body has at most ${most / kib} KiB here${most < limits.bodyBytes ? ' without a token' : ''}.`)
