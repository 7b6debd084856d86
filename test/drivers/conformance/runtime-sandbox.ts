import type { SandboxKey } from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import type { RuntimeConnection } from '../../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import type { TestSandbox } from './test-sandbox.ts'

interface RuntimeSandboxOptions {
  readonly key: SandboxKey
  readonly connection: RuntimeConnection
  /** Whether SandboxRuntime.Freeze precedes a checkpoint. */
  readonly freezesFirst: boolean
}

const WORKLOAD = { command: ['sh', '-c', 'while true; do sleep 1; done'] }

/** A sandbox that the runtime of the endpoint runs. `tee` and `cat` in it write and read files. */
export function openRuntimeSandbox(options: RuntimeSandboxOptions): TestSandbox {
  const { key, connection, freezesFirst } = options
  const { runtime } = connection
  const fence = 1n
  let count = 0
  const instanceId = (): string => `${key.uid}-instance-${count}`
  const common = () => ({ sandbox: key, instanceId: instanceId(), fence })

  async function exec(command: readonly string[], stdin = '') {
    let output = ''
    let code = -1
    const request = { ...common(), command: [...command], stdin: Buffer.from(stdin) }
    for await (const { output: part } of runtime.exec(request, { timeoutMs: 30_000 })) {
      if (part.case === 'stdout') output += Buffer.from(part.value).toString()
      if (part.case === 'exitCode') code = part.value
    }
    return { output, code }
  }

  return {
    key,
    get instanceId() {
      return instanceId()
    },
    parameters: {},
    start: async (restoreMetadata = {}) => {
      count += 1
      const operationId = `${instanceId()}-start`
      await runtime.start({ ...common(), operationId, workload: WORKLOAD, restoreMetadata })
    },
    end: async () => {
      const operationId = `${instanceId()}-terminate`
      await runtime.terminate({ ...common(), operationId, removeWorkspace: true })
    },
    beforeCheckpoint: async () => {
      if (freezesFirst) await runtime.freeze({ ...common(), operationId: 'freeze' })
    },
    write: async (name, content) => {
      const { code } = await exec(['tee', name], content)
      if (code !== 0) throw new Error(`tee ${name} in the sandbox exited with ${code}`)
    },
    read: async (name) => {
      const { output, code } = await exec(['cat', name])
      return code === 0 ? output : null
    },
    [Symbol.asyncDispose]: async () => {
      const request = { ...common(), fence: 1_000_000n, operationId: `${key.uid}-end` }
      await runtime.terminate(request)
      await runtime.remove({ sandbox: key, fence: request.fence, operationId: `${key.uid}-remove` })
    },
  }
}
