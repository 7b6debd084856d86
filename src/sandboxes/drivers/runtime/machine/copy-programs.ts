import { chmod, copyFile, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import { runProgram } from './run-program.ts'

const TIMEOUT_MS = 10_000
const LOADER = 'ld'
const EXECUTABLE = 0o755
/** `name => /path (0x7f...)` in the list of a loader; it lists itself and the kernel otherwise. */
const LIBRARY = /^\s*(\S+) => (\/\S+)/gm

interface Destination {
  /** Replaced. */
  readonly directory: string
  /** The path that the sandbox has for it. */
  readonly inside: string
}

/**
 * Copies programs of this machine with their loader and libraries, and returns their commands by
 * name. They run in any file system: the loader finds the libraries by its option, not by a variable
 * that the workload would inherit.
 */
export async function copyPrograms(
  files: ReadonlyMap<string, string>,
  { directory, inside }: Destination,
): Promise<ReadonlyMap<string, readonly string[]>> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  // The mask of the process may be stricter.
  await chmod(directory, EXECUTABLE)
  const copy = async (source: string, name: string): Promise<string> => {
    const target = path.join(directory, name)
    await copyFile(source, target)
    await chmod(target, EXECUTABLE)
    return path.posix.join(inside, name)
  }
  const commands = new Map<string, readonly string[]>()
  for (const [name, file] of files) {
    const program = await copy(file, name)
    const loader = await loaderOf(file)
    if (loader === null) {
      commands.set(name, [program])
      continue
    }
    for (const [library, source] of await librariesOf(loader, file)) await copy(source, library)
    commands.set(name, [await copy(loader, LOADER), '--library-path', inside, program])
  }
  return commands
}

async function librariesOf(loader: string, file: string): Promise<ReadonlyMap<string, string>> {
  const { code, output } = await runProgram([loader, '--list', file], { timeoutMs: TIMEOUT_MS })
  if (code !== 0) {
    const message = `${loader} does not list the libraries of ${file}: ${output.trim()}`
    throw new SandboxDriverError('FAILED_PRECONDITION', message)
  }
  return new Map([...output.matchAll(LIBRARY)].map(([, name = '', source = '']) => [name, source]))
}

/** Offsets in the header of an ELF file of 64 bits, and in the header of a segment. */
const ELF = { header: 64, segments: 32, segmentSize: 54, count: 56 }
const SEGMENT = { offset: 8, size: 32 }
const INTERPRETER = 3
/** The first bytes of such a file, with little-endian numbers. */
const MAGIC = '\x7fELF\x02\x01'

/** The loader that a program names; null for a static program. */
async function loaderOf(file: string): Promise<string | null> {
  await using handle = await open(file)
  const read = async (position: number, length: number): Promise<Buffer> => {
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, position)
    return buffer
  }
  const header = await read(0, ELF.header)
  if (!header.toString('latin1').startsWith(MAGIC)) return null
  const size = header.readUInt16LE(ELF.segmentSize)
  const count = header.readUInt16LE(ELF.count)
  const segments = await read(Number(header.readBigUInt64LE(ELF.segments)), size * count)
  for (let at = 0; at < segments.length; at += size) {
    if (segments.readUInt32LE(at) !== INTERPRETER) continue
    const position = Number(segments.readBigUInt64LE(at + SEGMENT.offset))
    const length = Number(segments.readBigUInt64LE(at + SEGMENT.size))
    return (await read(position, length)).toString().replace(/\0.*$/, '')
  }
  return null
}
