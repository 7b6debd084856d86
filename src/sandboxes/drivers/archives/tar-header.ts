/** The header of an archive's entry, as its 512 bytes state it. */
export interface TarHeader {
  readonly name: string
  readonly mode: number
  readonly size: number
  /** One character: `0` file, `1` hard link, `2` symbolic link, `5` folder, `x` extended header. */
  readonly type: string
  readonly link: string
}

export const BLOCK_BYTES = 512
const CHECKSUM = { at: 148, length: 8 }
const SPACE = 0x20
const OCTAL = /^[0-7]+$/

/**
 * Reads a header in POSIX format; null if it is anything else. Formats that `createArchive` does
 * not write, such as binary numbers, are not accepted: every accepted header has one meaning.
 */
export function readTarHeader(block: Buffer): TarHeader | null {
  if (block.toString('latin1', 257, 265) !== 'ustar\x0000') return null
  const mode = octal(block, 100, 8)
  const size = octal(block, 124, 12)
  const checksum = octal(block, CHECKSUM.at, CHECKSUM.length)
  if (mode === null || size === null || checksum !== checksumOf(block)) return null
  const prefix = text(block, 345, 155)
  const name = text(block, 0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    mode,
    size,
    type: block.toString('latin1', 156, 157),
    link: text(block, 157, 100),
  }
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.toString('latin1', at, at + length)
  const end = field.indexOf('\0')
  return end === -1 ? field : field.slice(0, end)
}

function octal(block: Buffer, at: number, length: number): number | null {
  const digits = text(block, at, length).trim()
  return OCTAL.test(digits) ? Number.parseInt(digits, 8) : null
}

/** The sum that a header must state. */
export function checksumOf(block: Buffer): number {
  let sum = CHECKSUM.length * SPACE
  for (const [index, byte] of block.entries()) {
    const inChecksum = index >= CHECKSUM.at && index < CHECKSUM.at + CHECKSUM.length
    if (!inChecksum) sum += byte
  }
  return sum
}
