import { createHash } from 'node:crypto'
import { type Stats, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { arch } from 'node:os'
import path from 'node:path'
import { cpuFeatures, type MachineFacts } from '../criu/compatibility.ts'
import type { GvisorEngine } from '../runtime/walls/gvisor/engine.ts'

/** Restored processes continue with programs and libraries that they have mapped. */
const LIBRARIES = ['/usr/bin', '/usr/lib', '/usr/lib64', '/usr/lib/x86_64-linux-gnu'].concat([
  '/usr/lib/aarch64-linux-gnu',
  '/usr/local/bin',
  '/usr/local/lib',
])

/** The facts of this machine that decide whether images of its engine can be restored. */
export async function readGvisorFacts({
  version,
  platform,
}: Pick<GvisorEngine, 'version' | 'platform'>): Promise<MachineFacts> {
  const [cpuinfo, system] = await Promise.all([
    readFile('/proc/cpuinfo', 'utf8').catch(() => ''),
    systemDigest(LIBRARIES),
  ])
  return { architecture: arch(), cpu: cpuFeatures(cpuinfo), runsc: version, platform, system }
}

/** A digest of the names, sizes and times of the files in directories. */
export async function systemDigest(directories: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const directory of directories) {
    const names = (await readdir(directory).catch(() => [])).toSorted((one, other) =>
      one < other ? -1 : 1,
    )
    const rows = names.map((name) => describe(path.join(directory, name)))
    hash.update(`${directory}\n${rows.join('\n')}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Reads without threads, which would cost several times the work for thousands of files. */
function describe(file: string): string {
  const found = statOf(file)
  // The size and time of a directory depend on the machine.
  if (found?.isFile() !== true) return file
  return `${file} ${found.size} ${Math.round(found.mtimeMs)}`
}

function statOf(file: string): Stats | null {
  try {
    return statSync(file)
  } catch {
    return null
  }
}
