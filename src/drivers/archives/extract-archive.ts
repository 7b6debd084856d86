import { pipeline } from 'node:stream/promises'
import { errorCode } from '../../lib/error-code.ts'
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
    await Promise.all([feed(source, zstd), extractTar(zstd.child.stdout, options)])
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

/** Writes a stream to a program and closes its input. If the program ends early, it says why. */
async function feed(source: AsyncIterable<Buffer>, tool: Tool): Promise<void> {
  try {
    await pipeline(source, tool.child.stdin)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') await tool.exited
    throw error
  }
}
