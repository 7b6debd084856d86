const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/** The FNV-1a hash of a text as eight hexadecimal digits, which fits into a label. */
export function nameHash(text: string): string {
  let hash = OFFSET
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, PRIME)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
