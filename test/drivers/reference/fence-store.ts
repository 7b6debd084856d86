import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { createKeyedQueue } from '../../../src/lib/async/keyed-queue.ts'
import { errorCode } from '../../../src/lib/error-code.ts'
import { SandboxDriverError } from '../../../src/sandboxes/drivers/protocol/sandbox-driver-error.ts'
import { writeDurably } from '../../../src/sandboxes/drivers/protocol/write-durably.ts'

/** Rejects calls of controllers that no longer own a sandbox. */
export interface FenceStore {
  /**
   * Stores the fence durably if it is the highest of the sandbox. Throws FAILED_PRECONDITION with
   * the reason StaleFence if a higher one is stored. Call it before every effect.
   */
  admit(sandboxUid: string, fence: bigint): Promise<void>
  /** The highest fence of the sandbox, or 0. */
  highest(sandboxUid: string): Promise<bigint>
  /** Forgets a sandbox that was deleted. */
  forget(sandboxUid: string): Promise<void>
}

const OWNER_ONLY = 0o700

/** Opens the fences below a directory: one file per sandbox. Only one process may use it. */
export async function openFenceStore(directory: string): Promise<FenceStore> {
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY })
  const queue = createKeyedQueue(Number.POSITIVE_INFINITY)
  const fileOf = (uid: string) =>
    path.join(directory, createHash('sha256').update(uid).digest('hex'))
  return {
    admit: (uid, fence) =>
      queue.run(uid, async () => {
        const highest = await readFence(fileOf(uid))
        if (fence === highest) return
        if (fence < highest) {
          const message = `fence ${fence} is stale: sandbox ${uid} has seen ${highest}`
          throw new SandboxDriverError('FAILED_PRECONDITION', message, { reason: 'StaleFence' })
        }
        await writeDurably(fileOf(uid), fence.toString())
      }),
    highest: (uid) => queue.run(uid, () => readFence(fileOf(uid))),
    forget: (uid) => queue.run(uid, () => rm(fileOf(uid), { force: true })),
  }
}

async function readFence(file: string): Promise<bigint> {
  try {
    return BigInt(await readFile(file, 'utf8'))
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return 0n
    throw new SandboxDriverError('INTERNAL', `cannot read the fence in ${file}`, { cause })
  }
}
