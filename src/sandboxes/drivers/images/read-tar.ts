import { BLOCK_BYTES, checksumOf } from '../archives/tar-header.ts'
import { badImage, quote } from './bad-image.ts'
import { ByteReader } from './byte-reader.ts'

/** An entry of an archive of any tar. */
export interface TarEntry {
  /** One character, as in a header. */
  readonly type: string
  readonly path: string
  readonly link: string
  readonly mode: number
  readonly modified: number
  readonly size: number
  /** The position of the content in the archive. */
  readonly offset: number
  readonly content: AsyncIterable<Buffer>
}

const MAX_EXTENDED = 256 * 1024
const MAX_SIZE_DIGITS = 16
const EMPTY_BLOCK = Buffer.alloc(BLOCK_BYTES)
const HEADER_ONLY = ['1', '2', '3', '4', '5', '6']

/** Records of extended headers about the next entry. */
type Extended = ReadonlyMap<string, string>

/**
 * Reads an archive in the formats of POSIX and GNU. Unlike the reader of snapshots, it accepts what
 * any tool writes, so its entries are hostile: it checks their form only. The rest of a content that
 * was not read is skipped.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(source)
  let common: Extended = new Map()
  let next: Extended = new Map()
  for (let at = BLOCK_BYTES; ; at += BLOCK_BYTES) {
    const block = await reader.take(BLOCK_BYTES)
    if (block === null) throw badImage('the archive is truncated')
    if (block.equals(EMPTY_BLOCK)) break
    const header = readHeader(block)
    const stored = padded(header.size)
    if ('xgLK'.includes(header.type)) {
      const body = await readExtended(reader, header.size)
      if (header.type === 'g') common = new Map([...common, ...body(header.type)])
      else next = new Map([...next, ...body(header.type)])
      at += stored
      continue
    }
    const entry = withExtended(header, new Map([...common, ...next]))
    next = new Map()
    const content = reader.read(entry.size)
    yield { ...entry, offset: at, content }
    await skip(content)
    const rest = padded(entry.size) - entry.size
    if (rest > 0 && (await reader.take(rest)) === null) throw badImage('the archive is truncated')
    at += padded(entry.size)
  }
  // The digest of a layer covers the bytes after the end mark too.
  await skip(reader.read(Number.MAX_SAFE_INTEGER))
}

type Header = Omit<TarEntry, 'offset' | 'content'>

function readHeader(block: Buffer): Header {
  const checksum = numberAt(block, 148, 8)
  if (checksum !== checksumOf(block)) throw badImage('the archive has a malformed header')
  const isPosix = block.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isPosix ? textAt(block, 345, 155) : ''
  const name = textAt(block, 0, 100)
  const type = block.toString('latin1', 156, 157).replace('\0', '0').replace('7', '0')
  const isDirectory = type === '0' && name.endsWith('/')
  return {
    type: isDirectory ? '5' : type,
    path: prefix === '' ? name : `${prefix}/${name}`,
    link: textAt(block, 157, 100),
    mode: numberAt(block, 100, 8),
    modified: numberAt(block, 136, 12),
    // Some tools state the size of the target of a hard link.
    size: HEADER_ONLY.includes(type) ? 0 : numberAt(block, 124, 12),
  }
}

function withExtended(header: Header, extended: Extended): Header {
  if (header.type === 'S' || [...extended.keys()].some((key) => key.startsWith('GNU.sparse'))) {
    throw badImage(`${quote(header.path)} is a sparse file: create the archive without --sparse`)
  }
  const size = extended.get('size')
  const isSized = size !== undefined && !HEADER_ONLY.includes(header.type)
  const modified = Number.parseInt(extended.get('mtime') ?? '', 10)
  return {
    ...header,
    path: extended.get('path') ?? header.path,
    link: extended.get('linkpath') ?? header.link,
    size: isSized ? decimal(size) : header.size,
    modified: Number.isSafeInteger(modified) ? modified : header.modified,
  }
}

/** Returns what an extended header of a type says. */
async function readExtended(
  reader: ByteReader,
  size: number,
): Promise<(type: string) => ReadonlyMap<string, string>> {
  if (size > MAX_EXTENDED) throw badImage('an extended header is too large')
  const body = (await reader.take(padded(size)))?.toString('latin1', 0, size)
  if (body === undefined) throw badImage('the archive is truncated')
  return (type) => {
    if (type === 'x' || type === 'g') return paxRecords(body)
    return new Map([[type === 'L' ? 'path' : 'linkpath', body.replace(/\0.*$/s, '')]])
  }
}

/** Later records replace earlier ones. Keywords without a meaning here are ignored. */
function paxRecords(body: string): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < body.length;) {
    const [, digits = '', key = ''] =
      /^([1-9]\d{0,6}) ([^=]+)=/.exec(body.slice(at, at + 1024)) ?? []
    const end = at + Number(digits)
    const start = at + digits.length + key.length + 2
    if (digits === '' || end > body.length || end <= start || body[end - 1] !== '\n') {
      throw badImage('an extended header is malformed')
    }
    records.set(key, body.slice(start, end - 1))
    at = end
  }
  return records
}

async function skip(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of content) void chunk
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
}

function textAt(block: Buffer, at: number, length: number): string {
  return block.toString('latin1', at, at + length).replace(/\0.*$/s, '')
}

/** A number in octal digits, or in the binary format of GNU. Absent numbers are 0. */
function numberAt(block: Buffer, at: number, length: number): number {
  const first = block[at] ?? 0
  if ((first & 0x80) !== 0) {
    const value =
      BigInt(`0x${block.toString('hex', at, at + length)}`) & ~(0x80n << BigInt((length - 1) * 8))
    // Times before 1970 are negative.
    return (first & 0x40) === 0 ? safe(Number(value)) : 0
  }
  const digits = textAt(block, at, length).trim()
  if (digits === '') return 0
  return safe(/^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN)
}

function decimal(digits: string): number {
  return safe(
    /^\d+$/.test(digits) && digits.length <= MAX_SIZE_DIGITS ? Number(digits) : Number.NaN,
  )
}

function safe(value: number): number {
  if (!Number.isSafeInteger(value)) throw badImage('a header of the archive has no valid number')
  return value
}
