/**
 * Gives the memory of a buffer back at once, if it is the buffer's alone. Left to the collector, the buffers of one upload make it
 * go through the whole heap for each 64 MB, which takes longer than hashing and encrypting.
 */
export const free = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
