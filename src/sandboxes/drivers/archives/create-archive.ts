import { startTool, type ToolOptions } from './start-tool.ts'

/** How the bytes of an archive are compressed. */
export type Compression = 'zstd' | 'none'

export interface CreateOptions extends ToolOptions {
  /** Captured paths below `cwd`, in the order of the archive. */
  readonly paths: readonly string[]
  readonly compression: Compression
}

/**
 * Owners are dropped, since a restore gives every file to the sandbox's user. Bits of setuid and
 * setgid are dropped, since extraction rejects them. The names of extended headers contain no
 * process id, so equal files give equal archives.
 */
const CREATE = [
  '--create',
  '--file=-',
  '--format=posix',
  '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime',
  '--sparse',
  '--numeric-owner',
  '--owner=0',
  '--group=0',
  '--mode=u-s,g-s',
  '--no-recursion',
  '--null',
  '--verbatim-files-from',
  '--files-from=-',
]

/**
 * Writes an archive of files with GNU tar. The stream fails instead of ending if tar fails: also if
 * a file changed or vanished meanwhile.
 */
export async function* createArchive(options: CreateOptions): AsyncGenerator<Buffer> {
  const compress = options.compression === 'zstd' ? ['--use-compress-program=zstd -1 -T0 -q'] : []
  const { child, output, exited } = startTool('tar', [...CREATE, ...compress], options)
  try {
    child.stdin.end(Buffer.from(options.paths.map((path) => `${path}\0`).join(''), 'latin1'))
    yield* output
    await exited
  } finally {
    child.kill('SIGKILL')
  }
}
