import type { Writable } from 'node:stream'
import { ArchiveChecker } from './archive-checker.ts'
import type { Compression } from './create-archive.ts'
import type { EntryRulesOptions } from './entry-rules.ts'
import { startTool, type Tool, type ToolOptions } from './start-tool.ts'

export interface ExtractOptions extends ToolOptions, EntryRulesOptions {
  readonly compression: Compression
}

const EXTRACT = [
  '--extract',
  '--file=-',
  '--preserve-permissions',
  '--no-same-owner',
  '--delay-directory-restore',
  '--keep-old-files',
  '--warning=no-timestamp',
]

/**
 * Extracts an archive into `cwd`, an empty folder of the account. The archive is hostile input: it
 * is checked on its way to tar, and tar runs as the sandbox's user. After a failure `cwd` contains
 * a part of the files.
 */
export async function extractArchive(
  source: AsyncIterable<Buffer>,
  options: ExtractOptions,
): Promise<void> {
  if (options.compression === 'none') return extractTar(source, options)
  const zstd = startTool('zstd', ['-d', '-c', '-q'], options)
  try {
    await Promise.all([feed(source, zstd), extractTar(zstd.output, options)])
    await zstd.exited
  } finally {
    zstd.child.kill('SIGKILL')
  }
}

async function extractTar(source: AsyncIterable<Buffer>, options: ExtractOptions): Promise<void> {
  const tar = startTool('tar', EXTRACT, options)
  tar.child.stdout.resume()
  try {
    await feed(checked(source, new ArchiveChecker(options)), tar)
    await tar.exited
  } finally {
    tar.child.kill('SIGKILL')
    // The caller removes the files, so tar must have ended.
    await tar.exited.catch(() => {})
  }
}

async function* checked(
  source: AsyncIterable<Buffer>,
  checker: ArchiveChecker,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    checker.accept(chunk)
    yield chunk
  }
  checker.finish()
}

/**
 * Writes a stream to a program and closes its input. A program may end before its input does: tar
 * stops at the end mark of the archive. If it succeeded, the rest of the stream is still checked.
 */
async function feed(source: AsyncIterable<Buffer>, { child, exited }: Tool): Promise<void> {
  for await (const chunk of source) {
    if (child.stdin.destroyed) await exited
    else await write(child.stdin, chunk)
  }
  child.stdin.end()
}

/** Waits until the chunk is written or the stream is closed. */
async function write(stream: Writable, chunk: Buffer): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.write(chunk, () => resolve())
  })
}
