import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { startTool } from '../archives/start-tool.ts'
import { badImage } from './bad-image.ts'

const GZIP = Buffer.from([0x1f, 0x8b])
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
/** Formats that are not supported, by their first bytes. */
const OTHERS: readonly (readonly [string, Buffer])[] = [
  ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a])],
  ['bzip2', Buffer.from('BZh')],
]

/** Whether a file with these first bytes is compressed. */
export function isCompressed(first: Buffer): boolean {
  const formats = [GZIP, ZSTD, ...OTHERS.map(([, magic]) => magic)]
  return formats.some((magic) => first.subarray(0, magic.length).equals(magic))
}

/** Counts decompressed bytes, so that a small file cannot become an endless stream. */
export interface ByteBudget {
  left: number
}

/** A stream without its compression: gzip, zstd or none, by its first bytes. */
export async function* decompress(
  source: AsyncIterable<Buffer>,
  budget: ByteBudget,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]()
  const { value: first, done } = await iterator.next()
  if (done === true) return
  const whole = withFirst(first, iterator)
  for await (const chunk of decompressed(first, whole, signal)) {
    budget.left -= chunk.length
    if (budget.left < 0) throw badImage('its archives are too large')
    yield chunk
  }
}

async function* decompressed(
  first: Buffer,
  source: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const starts = (magic: Buffer): boolean => first.subarray(0, magic.length).equals(magic)
  const other = OTHERS.find(([, magic]) => starts(magic))
  if (other !== undefined) {
    throw badImage(`it is compressed with ${other[0]}: decompress it, or use gzip or zstd`)
  }
  if (starts(GZIP)) yield* gunzip(source)
  else if (starts(ZSTD)) yield* unzstd(source, signal)
  else yield* source
}

async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = Readable.from(source)
  const output = createGunzip()
  // Errors of the source, such as a wrong digest, are the result.
  input.on('error', (error) => output.destroy(error))
  try {
    for await (const chunk of input.pipe(output)) if (chunk instanceof Buffer) yield chunk
  } catch (error) {
    throw isZlibError(error) ? badImage('its compressed data are damaged', error) : error
  } finally {
    input.destroy()
    output.destroy()
  }
}

async function* unzstd(source: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  const zstd = startTool('zstd', ['-d', '-c', '-q'], { cwd: '/', account: null, signal })
  const input = Readable.from(source)
  input.on('error', (error) => zstd.child.stdout.destroy(error))
  try {
    input.pipe(zstd.child.stdin)
    yield* zstd.output
    await zstd.exited
  } finally {
    input.destroy()
    zstd.child.kill('SIGKILL')
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

async function* withFirst(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  for (;;) {
    const { value, done } = await rest.next()
    if (done === true) return
    yield value
  }
}
