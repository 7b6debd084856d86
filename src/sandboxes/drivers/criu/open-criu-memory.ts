import path from 'node:path'
import { readIfPresent } from 'flotilla/programs'
import type { MemoryCapture } from '../process/memory-capture.ts'
import { writeDurably } from '../protocol/write-durably.ts'
import type { Machine } from '../runtime/machine/machine.ts'
import type { RuntimeLayout } from '../runtime/sandbox-layout.ts'
import { type MachineFacts, readMachineFacts } from './compatibility.ts'
import { createCriuMemory } from './criu-memory.ts'
import { readCapabilities } from './read-capabilities.ts'
import { runProgram } from '../runtime/machine/run-program.ts'
import { firstErrors } from './memory-images.ts'
import { testMemoryCapture } from './self-test.ts'

export interface OpenCriuMemoryOptions {
  readonly machine: Machine
  /** Its private directory keeps the result of the self-test. */
  readonly layout: RuntimeLayout
}

const CHECK_TIMEOUT_MS = 30_000

/** Finds out whether criu works on this machine, and returns its memory capture. */
export async function openCriuMemory(options: OpenCriuMemoryOptions): Promise<MemoryCapture> {
  const [facts, capabilities] = await Promise.all([readMachineFacts(), readCapabilities()])
  const unavailable =
    unmetRequirement(options.machine, facts) ?? (await testOnce(options, facts, capabilities))
  return createCriuMemory({ unavailable, facts, capabilities, machine: options.machine.name })
}

function unmetRequirement(machine: Machine, facts: MachineFacts | null): string | null {
  if (!machine.isRoot) return 'the runtime must run as root'
  if (facts === null) return "the program 'criu' is missing: install version 4.2 or newer"
  if (machine.cgroups === null) return 'the machine has no writable cgroup v2'
  const missing = (['unshare', 'setpriv', 'setsid'] as const).find(
    (name) => !machine.programs[name],
  )
  return missing === undefined ? null : `the program '${missing}' is missing: install util-linux`
}

/** The test takes a second, so its result is kept until the machine boots or criu changes. */
async function testOnce(
  options: OpenCriuMemoryOptions,
  facts: MachineFacts | null,
  capabilities: readonly number[],
): Promise<string> {
  const { machine, layout } = options
  const subject = JSON.stringify({ boot: machine.bootId, facts, capabilities })
  const file = path.join(layout.stateDirectory, 'criu-self-test.json')
  const recorded = await readRecorded(file, subject)
  if (recorded !== null) return recorded
  const unavailable = await test(options, capabilities)
  // A failure can be temporary, such as a full disk.
  if (unavailable === '') await writeDurably(file, JSON.stringify({ subject, unavailable }))
  return unavailable
}

async function test(
  options: OpenCriuMemoryOptions,
  capabilities: readonly number[],
): Promise<string> {
  const { machine } = options
  if (machine.cgroups === null) return 'the machine has no writable cgroup v2'
  const check = await runProgram(['criu', 'check'], { timeoutMs: CHECK_TIMEOUT_MS })
  if (check.code !== 0) return `criu check failed: ${firstErrors(check.output) || check.output}`
  return testMemoryCapture(options, machine.cgroups, capabilities)
}

async function readRecorded(file: string, subject: string): Promise<string | null> {
  const text = await readIfPresent(file)
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    const isRecord = typeof value === 'object' && value !== null && 'subject' in value
    return isRecord && value.subject === subject ? '' : null
  } catch {
    return null
  }
}
