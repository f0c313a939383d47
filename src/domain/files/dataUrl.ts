import { decodePart } from '../net/decodePart.ts'

/** `data:` with a media type, its parameters and base64. */
const form = /^data:([\w!#$&^.+/-]{0,200})((?:;[\w-]{1,20}=[^;,]{0,400}){0,5});base64,([\w+/=-]*)$/

/**
 * The bytes of a data URL in base64 (RFC 2397), with the name in its parameter `name`.
 * @returns undefined for any other text
 */
export const readDataUrl = (text: string): { bytes: Uint8Array; name: string | undefined; type: string } | undefined => {
  const [, type, parameters, base64] = form.exec(text) ?? []
  if (type === undefined || base64 === undefined) return undefined
  const name = new Map((parameters ?? '').split(';').map(it => [it.split('=', 1)[0], it.slice(it.indexOf('=') + 1)])).get('name')
  return { bytes: Buffer.from(base64, 'base64'), name: name === undefined ? undefined : (decodePart(name) ?? name), type }
}
