import { randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { RuntimeConnection } from '../../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import type {
  ExecRequest,
  ExecRequestSchema,
  Instance,
  StartRequest,
  StartRequestSchema,
} from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { poll } from './poll.ts'

type Start = Partial<Exclude<MessageInitShape<typeof StartRequestSchema>, StartRequest>>
type Exec = Partial<Exclude<MessageInitShape<typeof ExecRequestSchema>, ExecRequest>>

/** A sandbox of a test on a runtime, with a fence that rises only if the test says so. */
export interface RuntimeSandbox {
  readonly key: { plane: string; namespace: string; name: string; uid: string }
  start(instanceId: string, script: string, request?: Start): Promise<Instance>
  get(instanceId?: string): Promise<Instance>
  /** Runs a shell script beside the workload. */
  exec(
    script: string,
    request?: Exec,
  ): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number | null }>
  logs(options?: { readonly tailLines?: bigint; readonly previous?: boolean }): Promise<string>
  /** Waits until the instance has the state. */
  reaches(state: string): Promise<Instance>
}

/** A new sandbox. `runtime` returns the current connection. */
export function runtimeSandbox(connection: () => RuntimeConnection, name = 'box'): RuntimeSandbox {
  const key = { plane: 'root', namespace: 'default', name, uid: randomUUID() }
  const get = async (instanceId = ''): Promise<Instance> => {
    const { instance } = await connection().runtime.getInstance({ sandbox: key, instanceId })
    if (instance === undefined) throw new Error('the answer has no instance')
    return instance
  }
  return {
    key,
    get,
    start: async (instanceId, script, request = {}) => {
      const { instance } = await connection().runtime.start({
        sandbox: key,
        instanceId,
        operationId: `${instanceId}.start`,
        fence: 1n,
        workload: { command: ['/bin/sh', '-c', script] },
        ...request,
      })
      if (instance === undefined) throw new Error('the answer has no instance')
      return instance
    },
    exec: async (script, request = {}) => {
      const result = { stdout: '', stderr: '', exitCode: null as number | null }
      const outputs = connection().runtime.exec({
        sandbox: key,
        command: ['/bin/sh', '-c', script],
        ...request,
      })
      for await (const { output } of outputs) {
        if (output.case === 'exitCode') result.exitCode = output.value
        else if (output.case !== undefined) {
          result[output.case] += Buffer.from(output.value).toString()
        }
      }
      return result
    },
    logs: async (options = {}) => {
      let text = ''
      for await (const { data } of connection().runtime.logs({ sandbox: key, ...options })) {
        text += Buffer.from(data).toString()
      }
      return text
    },
    reaches: (state) => poll('the instance', get, (instance) => instance.state === state),
  }
}
