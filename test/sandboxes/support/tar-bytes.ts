/** An entry of an archive of a test, also of a malformed one. */
export interface Entry {
  readonly path: string
  readonly type?: string
  readonly link?: string
  readonly mode?: number
  readonly content?: string
  /** Records of an extended header before the entry. */
  readonly pax?: Record<string, string>
  /** Changes the finished header. */
  readonly edit?: (header: Buffer) => void
}

export const BLOCK = 512

function header(entry: Entry, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(entry.path, 0, 100, 'latin1')
  block.write(`${(entry.mode ?? 0o644).toString(8).padStart(7, '0')}\0`, 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write(entry.type ?? '0', 156)
  block.write(entry.link ?? '', 157, 100, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  entry.edit?.(block)
  block.write(' '.repeat(8), 148)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)])
}

function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = rest.length + 1
  while (`${length}${rest}`.length !== length) length = `${length}${rest}`.length
  return `${length}${rest}`
}

/** The header and the content of an entry. */
export function entryBytes(entry: Entry): Buffer {
  const content = Buffer.from(entry.content ?? '')
  const records = Object.entries(entry.pax ?? {}).map(([key, value]) => record(key, value))
  const pax = Buffer.from(records.join(''), 'latin1')
  const extended = entry.pax ? [header({ path: 'pax', type: 'x' }, pax.length), padded(pax)] : []
  return Buffer.concat([...extended, header(entry, content.length), padded(content)])
}

/** The end mark of an archive. */
export const END = Buffer.alloc(2 * BLOCK)

/** An archive with its end mark. */
export function tarBytes(...entries: readonly Entry[]): Buffer {
  return Buffer.concat([...entries.map(entryBytes), END])
}
