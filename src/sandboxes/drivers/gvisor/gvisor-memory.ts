import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileExists } from 'flotilla/programs'
import { findIncompatibility, type MachineFacts } from '../criu/compatibility.ts'
import type { MemoryCapture } from '../process/memory-capture.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { HostedInstance, SandboxUser } from '../runtime/hosted-drivers.ts'
import { programsDigest } from '../runtime/walls/view/start-programs.ts'
import { setFrozen } from '../runtime/machine/cgroup.ts'
import { runProgram } from '../runtime/machine/run-program.ts'
import {
  type ContainerFiles,
  containerFiles,
  containerId,
  type GvisorEngine,
  runscCommand,
} from '../runtime/walls/gvisor/engine.ts'
import { linkFiles } from '../runtime/walls/gvisor/gvisor-wall.ts'
import { BUSY, checkpointCommand } from './checkpoint-script.ts'

/** Name of the driver that captures files and memory of the class `gvisor`. */
export const GVISOR_DRIVER = 'gvisor'

/** A checkpoint writes about 1 GiB in a second. Its end would be the end of the workload. */
const DUMP_TIMEOUT_MS = 300_000
const RESTORE_TIMEOUT_MS = 60_000
const POLL_MS = 20
/** Describes the images, next to them. */
const METADATA_NAME = 'memory.json'

interface GvisorMemoryOptions {
  /** Why the class gvisor is not offered on this machine; empty if it is. */
  readonly unavailable: string
  /** Null unless the class is offered. */
  readonly available: { readonly engine: GvisorEngine; readonly facts: MachineFacts } | null
}

/** Captures the memory of sandboxes of the class `gvisor`. */
export function createGvisorMemory(options: GvisorMemoryOptions): MemoryCapture {
  const { unavailable, available } = options
  return {
    driver: GVISOR_DRIVER,
    unavailable,
    isolationClass: 'gvisor',
    // runsc of 2022 ends the processes if one has a connection.
    capturesNetworks: false,
    compatibility: (rootImage) => (available === null ? {} : factsIn(rootImage, available.facts)),
    hasProcesses: async ({ pid }) => pid !== 0,
    awaitStart: (instance, signal) => awaitRestored(containerFiles(instance.runDirectory), signal),
    dump: (instance, images) => {
      if (available === null) throw incompatible(unavailable)
      return writeImages(available.engine, instance, images)
    },
    incompatibility: (recorded, rootImage) => {
      if (available === null) return unavailable
      const { image = '' } = recorded
      return image === rootImage
        ? findIncompatibility(recorded, factsIn(rootImage, available.facts))
        : `the snapshot was taken in ${imageText(image)}, and the sandbox starts in ${imageText(rootImage)}`
    },
    check: async (sandbox, images) => {
      const { uid } = await readMetadata(images)
      if (uid === sandbox.user?.uid) return
      throw incompatible(`its processes have the uid ${uid}, the sandbox has ${sandbox.user?.uid}`)
    },
    boot: async ({ restoreInWall, runDirectory, imageUser }, images) => {
      if (restoreInWall === undefined) throw incompatible(unavailable)
      const { programs, user } = await readMetadata(images)
      // Snapshots of earlier versions do not have the user of the image.
      if (user !== userText(imageUser)) {
        throw incompatible('its processes do not have the user of the image')
      }
      if (programs !== (await programsDigest(runDirectory))) {
        throw incompatible('the programs of the machine that start its workload have changed')
      }
      return restoreInWall(images)
    },
  }
}

/** In an image, programs and libraries of the machine do not matter. */
function factsIn(rootImage: string, facts: MachineFacts): MachineFacts {
  const { system = '', ...others } = facts
  return rootImage === '' ? { ...others, system } : { ...others, image: rootImage }
}

function imageText(digest: string): string {
  return digest === '' ? 'no image' : `the image ${digest}`
}

/**
 * Writes the memory of a frozen instance. The engine ends the processes then, and the instance keeps
 * the images: it continues from them when it is thawed. They are links, so nothing is copied.
 */
async function writeImages(
  engine: GvisorEngine,
  { cgroup, runDirectory, user, imageUser }: HostedInstance,
  images: string,
): Promise<void> {
  const files = containerFiles(runDirectory)
  if (cgroup === null) throw incompatible('the instance has no cgroup to freeze')
  // A continuation can have begun after the wait for the start.
  if (await fileExists(files.restoring)) throw starting()
  const image = path.join(files.checkpoint, files.imageName)
  if (!(await fileExists(image))) {
    const command = checkpointCommand({
      directory: files.directory,
      containerId: containerId(runDirectory),
      freezeFile: path.join(cgroup, 'cgroup.freeze'),
      runtimePid: process.pid,
      runsc: runscCommand(engine),
    })
    const { code, output, timedOut } = await runProgram(command, { timeoutMs: DUMP_TIMEOUT_MS })
    if (code === BUSY) {
      const message = 'an earlier checkpoint has not ended: try again'
      throw new SandboxDriverError('UNAVAILABLE', message)
    }
    try {
      await setFrozen(cgroup, true)
    } finally {
      await rm(files.holdFile, { force: true })
    }
    if (code !== 0) throw dumpFailure(timedOut ? 'it was too slow' : output.trim())
  }
  await linkFiles(image, images)
  const programs = await programsDigest(runDirectory)
  const metadata = {
    format: 1,
    uid: user?.uid,
    ...(imageUser !== null && { user: userText(imageUser) }),
    ...(programs !== '' && { programs }),
  }
  await writeFile(path.join(images, METADATA_NAME), JSON.stringify(metadata))
}

/** Waits until a restore has ended: until then, its images contain the memory. */
async function awaitRestored({ restoring }: ContainerFiles, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + RESTORE_TIMEOUT_MS
  while (await fileExists(restoring)) {
    if (performance.now() > deadline) {
      throw starting()
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

function starting(): SandboxDriverError {
  return new SandboxDriverError('UNAVAILABLE', 'the instance is still starting: try again')
}

interface Metadata {
  readonly uid: number
  /** The user of the image; empty if its processes have that of the sandbox. */
  readonly user: string
  /** The digest of the copies of programs that its processes have mapped; empty without copies. */
  readonly programs: string
}

const METADATA =
  /^\{"format":1,"uid":(\d+)(?:,"user":"(\d+:\d+)")?(?:,"programs":"([0-9a-f]+)")?\}$/

function userText(user: SandboxUser | null): string {
  return user === null ? '' : `${user.uid}:${user.gid}`
}

async function readMetadata(images: string): Promise<Metadata> {
  const text = await readFile(path.join(images, METADATA_NAME), 'utf8').catch(() => '')
  const [, uid, user = '', programs = ''] = METADATA.exec(text) ?? []
  if (uid !== undefined) return { uid: Number(uid), user, programs }
  throw new SandboxDriverError('DATA_LOSS', 'the description of the memory images is missing', {
    reason: 'SnapshotCorrupt',
  })
}

function dumpFailure(problem: string): SandboxDriverError {
  const isFull = /no space left on device|disk quota exceeded/i.test(problem)
  return new SandboxDriverError(
    isFull ? 'RESOURCE_EXHAUSTED' : 'FAILED_PRECONDITION',
    `runsc could not write the memory of the processes: ${problem}`,
    { reason: isFull ? 'StoreFull' : null },
  )
}

function incompatible(problem: string): SandboxDriverError {
  return new SandboxDriverError('FAILED_PRECONDITION', `cannot restore the memory: ${problem}`, {
    reason: 'Incompatible',
  })
}
