import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { SandboxKey } from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { errorCode } from '../../../src/lib/error-code.ts'
import { hasEnded } from '../../../src/lib/processes/has-ended.ts'
import type { TestSandbox } from './test-sandbox.ts'

/** A directory and a sleeping process, for drivers on this machine without a runtime. */
export async function openDirectorySandbox(key: SandboxKey): Promise<TestSandbox> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'flotilla-conformance-'))
  const workspace = path.join(root, 'workspace')
  await mkdir(workspace)
  const workload = spawn('sleep', ['3600'], { stdio: 'ignore' })
  await once(workload, 'spawn')
  return {
    key,
    instanceId: `instance-${key.uid}`,
    parameters: {
      'flotilla.dev/workspace': workspace,
      'flotilla.dev/volumes': '{}',
      'flotilla.dev/pid': String(workload.pid),
    },
    start: () => mkdir(workspace, { recursive: true }).then(() => undefined),
    end: async () => {
      await rm(workspace, { recursive: true })
      await mkdir(workspace)
    },
    beforeCheckpoint: async () => {},
    write: (name, content) => writeFile(path.join(workspace, name), content),
    read: (name) => readOrNull(path.join(workspace, name)),
    [Symbol.asyncDispose]: async () => {
      await kill(workload)
      await rm(root, { recursive: true, force: true })
    },
  }
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function kill(workload: ChildProcess): Promise<void> {
  if (hasEnded(workload)) return
  const exit = once(workload, 'exit')
  workload.kill('SIGKILL')
  await exit
}
