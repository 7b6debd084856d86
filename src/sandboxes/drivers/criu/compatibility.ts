import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { arch, release } from 'node:os'
import { runProgram } from '../runtime/machine/run-program.ts'

/** The facts of a machine that decide whether memory images can be restored on it. */
export type MachineFacts = Readonly<Record<string, string>>

const VERSION_TIMEOUT_MS = 10_000

/** Reads the facts of this machine; null if it has no criu. */
export async function readMachineFacts(): Promise<MachineFacts | null> {
  const [{ code, output }, cpuinfo] = await Promise.all([
    runProgram(['criu', '--version'], { timeoutMs: VERSION_TIMEOUT_MS }),
    readFile('/proc/cpuinfo', 'utf8').catch(() => ''),
  ])
  const version = /Version:\s*(\S+)/.exec(output)?.[1]
  if (code !== 0 || version === undefined) return null
  return { architecture: arch(), kernel: release(), cpu: cpuFeatures(cpuinfo), criu: version }
}

/** A digest of the features that programs may have detected when they started. */
export function cpuFeatures(cpuinfo: string): string {
  const features = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(cpuinfo)?.[1] ?? ''
  const sorted = features.trim().split(/\s+/).toSorted().join(' ')
  return createHash('sha256').update(sorted).digest('hex').slice(0, 16)
}

/** Names the first fact of the snapshot that this machine does not share; null if all are equal. */
export function findIncompatibility(
  recorded: Readonly<Record<string, string>>,
  machine: MachineFacts,
): string | null {
  for (const [fact, value] of Object.entries(machine)) {
    const expected = recorded[fact] ?? ''
    if (expected !== value) {
      return `the snapshot needs ${fact} ${JSON.stringify(expected)}, this machine has ${JSON.stringify(value)}`
    }
  }
  return null
}
