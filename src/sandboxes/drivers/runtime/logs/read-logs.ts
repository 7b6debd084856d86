import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InstancePaths } from '../sandbox-layout.ts'
import { tailOffset } from './tail-offset.ts'

interface LogOptions {
  /** Last lines to read; 0 reads everything. */
  readonly tailLines: number
  /** Milliseconds since 1970; 0 reads everything. */
  readonly since: number
  readonly follow: boolean
  /** Whether the instance has ended, so that no output follows. */
  readonly hasEnded: () => boolean
  readonly signal: AbortSignal
}

const CHUNK_BYTES = 64 * 1024
const POLL_MS = 200

/** The output of an instance, from the oldest kept byte. */
export async function* readLogs(
  paths: InstancePaths,
  options: LogOptions,
): AsyncGenerator<Uint8Array> {
  const output = await openIfPresent(paths.output)
  if (output === null) return
  try {
    const { mtimeMs, size } = await output.stat()
    const isOlder = options.since > 0 && mtimeMs < options.since
    const start = isOlder
      ? size
      : options.tailLines > 0
        ? await tailOffset(output, size, options.tailLines)
        : 0
    if (start === 0 && options.tailLines === 0 && !isOlder) yield* readOlder(paths, options.signal)
    yield* readFrom(output, start, options)
  } finally {
    await output.close()
  }
}

async function* readOlder(paths: InstancePaths, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const older = await openIfPresent(paths.olderOutput)
  if (older === null) return
  try {
    yield* chunksFrom(older, 0, signal)
  } finally {
    await older.close()
  }
}

async function* readFrom(
  output: FileHandle,
  start: number,
  { follow, hasEnded, signal }: LogOptions,
): AsyncGenerator<Uint8Array> {
  let offset = start
  for (;;) {
    const ended = hasEnded()
    // The file shrinks when it is truncated.
    if ((await output.stat()).size < offset) offset = 0
    for await (const chunk of chunksFrom(output, offset, signal)) {
      offset += chunk.length
      yield chunk
    }
    if (!follow || ended || signal.aborted) return
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function* chunksFrom(
  file: FileHandle,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let offset = start; !signal.aborted;) {
    const buffer = Buffer.alloc(CHUNK_BYTES)
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, offset)
    if (bytesRead === 0) return
    offset += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function openIfPresent(file: string): Promise<FileHandle | null> {
  return open(file, 'r').catch(() => null)
}
