import { decodeText, decodeUnicode } from '../../domain/text/decodeText.ts'

/** Encodings of other scripts than the Latin one, of which a text shows nothing that its reader knows where they are missed. */
const recognised = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr', 'koi8-r', 'windows-1251'])
/** The bytes from which an encoding is recognised, and how many of them must be no ASCII: fewer prove nothing. */
const sampleBytes = 16 * 1_024
const leastProof = 20

/** The beginning of a text. Its encoding is recognised where it is certain, and otherwise the one of older Western programs. */
export const readText = async (blob: Blob, mostBytes: number): Promise<string> => {
  const bytes = new Uint8Array(await blob.slice(0, mostBytes).arrayBuffer())
  return decodeUnicode(bytes) ?? (await decodeOther(bytes)) ?? decodeText(bytes)
}

const decodeOther = async (bytes: Uint8Array): Promise<string | undefined> => {
  const sample = bytes.subarray(0, sampleBytes)
  if (sample.filter(it => it >= 0x80).length < leastProof) return undefined
  try {
    const { detect } = await import('chardet')
    const encoding = detect(sample)?.toLowerCase() ?? ''
    // The last character may be cut.
    return recognised.has(encoding) ? new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true }) : undefined
  } catch {
    return undefined
  }
}
