import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MemoryCapture } from '../process/memory-capture.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { HostedSandbox } from '../runtime/hosted-drivers.ts'
import { cgroupMembers } from '../runtime/machine/cgroup.ts'
import { awaitStart } from './await-start.ts'
import { bootImages } from './boot-images.ts'
import { findIncompatibility, type MachineFacts } from './compatibility.ts'
import { findChangedFile } from './mapped-files.ts'
import { writeMemoryImages } from './memory-images.ts'
import { type MemoryMetadata, METADATA_NAME, readMemoryMetadata } from './memory-metadata.ts'

/** Name of the driver that captures files and memory. */
export const CRIU_DRIVER = 'process-criu'

export interface CriuMemoryOptions {
  /** Why criu cannot be used on this machine; empty if it can. */
  readonly unavailable: string
  /** Null if this machine has no criu. */
  readonly facts: MachineFacts | null
  readonly machine: string
  /** The numbers of the capabilities that this process may use. */
  readonly capabilities: readonly number[]
}

/** Captures memory with criu. */
export function createCriuMemory(options: CriuMemoryOptions): MemoryCapture {
  const { facts, machine, capabilities, unavailable } = options
  return {
    driver: CRIU_DRIVER,
    unavailable,
    isolationClass: 'process',
    capturesNetworks: true,
    // Images contain paths of this machine, also if their store is remote.
    compatibility: () => ({ ...facts, machine }),
    hasProcesses: async ({ cgroup }) => cgroup !== null && (await cgroupMembers(cgroup)).length > 0,
    awaitStart,
    dump: (instance, images) => writeMemoryImages(instance, images, capabilities),
    incompatibility: (recorded) => {
      if (facts === null || unavailable !== '') return unavailable
      if (recorded['machine'] === machine) return findIncompatibility(recorded, facts)
      return `its memory was taken on the machine '${recorded['machine']}', and this is '${machine}'`
    },
    check: checkImages,
    boot: async (request, images) => {
      const { cgroup, joinFiles, pidFile, outputFile, runDirectory } = request
      if (cgroup === null) throw incompatible('this machine has no writable cgroup v2')
      const former = await readMetadata(images)
      return bootImages(images, { cgroup, joinFiles, pidFile, outputFile, runDirectory, former })
    },
  }
}

async function checkImages(sandbox: HostedSandbox, images: string): Promise<void> {
  const metadata = await readMetadata(images)
  if (metadata.directory !== sandbox.directory) {
    throw incompatible(`its processes use files in ${metadata.directory}`)
  }
  const uid = sandbox.user?.uid ?? 0
  if (metadata.uid !== uid) {
    throw incompatible(`its processes have the uid ${metadata.uid}, the sandbox has ${uid}`)
  }
  const changed = await findChangedFile(metadata.mappedFiles)
  if (changed !== null) throw incompatible(`its processes use ${changed}, which has changed since`)
}

async function readMetadata(images: string): Promise<MemoryMetadata> {
  const text = await readFile(path.join(images, METADATA_NAME), 'utf8').catch(() => '')
  const metadata = readMemoryMetadata(text)
  if (metadata !== null) return metadata
  throw new SandboxDriverError('DATA_LOSS', 'the description of the memory images is missing', {
    reason: 'SnapshotCorrupt',
  })
}

function incompatible(problem: string): SandboxDriverError {
  return new SandboxDriverError('FAILED_PRECONDITION', `cannot restore the memory: ${problem}`, {
    reason: 'Incompatible',
  })
}
