/** FNV-1a hash of a text's UTF-16 code units, as a signed 32-bit integer. It is fast, and not safe against chosen texts. */
export const hash32 = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
