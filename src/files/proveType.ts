import { fileTypeFromBuffer } from 'file-type'

/** The media type that the first bytes of a file prove by their signature; undefined for texts and unknown bytes. */
export const proveType = async (head: Uint8Array): Promise<string | undefined> => {
  try {
    return (await fileTypeFromBuffer(head))?.mime
  } catch {
    // Bytes that begin like a type and go on like none prove nothing.
    return undefined
  }
}
