import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import type { Clock } from '../../../src/lib/clock.ts'
import {
  type ExecRequest,
  type Instance,
  type InstanceRequest,
  InstanceResponseSchema,
  InstanceSchema,
  RemoveResponseSchema,
  SandboxRuntime,
  type StartRequest,
  StartResponseSchema,
  type TerminateRequest,
} from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../../src/sandboxes/drivers/protocol/sandbox-driver-error.ts'
import { performCall, type ReferenceContext } from './perform-call.ts'
import { watchInstances } from './watch-instances.ts'
import {
  activeInstance,
  filesOf,
  putInstance,
  type ReferenceInstance,
  type ReferenceState,
} from './reference-state.ts'

interface RuntimeContext extends ReferenceContext {
  readonly clock: Clock
  readonly machine: string
  readonly capacity: number
}

const SIGTERM = 15

/** The complete SandboxRuntime service. Its workloads are entries in a map. */
export function referenceRuntime(context: RuntimeContext): ServiceImpl<typeof SandboxRuntime> {
  const { state, machine, capacity } = context
  return {
    ...changingCalls(context),
    getInstance: ({ instanceId }) => ({ instance: knownInstance(state, instanceId).instance }),
    renewToken: ({ instanceId }) => ({ instance: knownInstance(state, instanceId).instance }),
    listInstances: async function* () {
      for (const { instance } of state.instances.values()) yield instance
    },
    watch: (_request, { signal }) => watchInstances(state, signal),
    exec: async function* (request) {
      const { stdout, exitCode } = execute(state, request)
      if (stdout !== '') yield { output: { case: 'stdout', value: Buffer.from(stdout) } }
      yield { output: { case: 'exitCode', value: exitCode } }
    },
    logs: async function* ({ instanceId }) {
      yield { data: Buffer.from(knownInstance(state, instanceId).log) }
    },
    getRuntimeInfo: () => ({
      id: machine,
      machine,
      version: '1',
      freezes: true,
      capacity,
      instances: [...state.instances.values()].filter(isActive).length,
      bootId: 'reference',
    }),
  }
}

function changingCalls(context: RuntimeContext) {
  const { state } = context
  const { method } = SandboxRuntime
  type Impl = ServiceImpl<typeof SandboxRuntime>
  const start: Impl['start'] = (request, { signal }) =>
    performCall(
      context,
      { name: 'start', method: method.start, request, signal, isStored: true },
      async () => create(StartResponseSchema, { instance: startInstance(context, request) }),
    )
  const phaseCall =
    (name: 'freeze' | 'thaw', phase: 'Frozen' | 'Running'): Impl['freeze'] =>
    (request, { signal }) =>
      performCall(
        context,
        { name, method: method[name], request, signal, isStored: false },
        async () => create(InstanceResponseSchema, { instance: setPhase(state, request, phase) }),
      )
  const terminate: Impl['terminate'] = (request, { signal }) =>
    performCall(
      context,
      { name: 'terminate', method: method.terminate, request, signal, isStored: false },
      async () => create(InstanceResponseSchema, { instance: terminateInstance(context, request) }),
    )
  const remove: Impl['remove'] = (request, { signal }) =>
    performCall(
      context,
      { name: 'remove', method: method.remove, request, signal, isStored: false },
      async () => {
        removeSandbox(state, request.sandbox?.uid ?? '')
        return create(RemoveResponseSchema)
      },
    )
  const freeze = phaseCall('freeze', 'Frozen')
  const thaw = phaseCall('thaw', 'Running')
  return { start, freeze, thaw, terminate, remove }
}

function startInstance(context: RuntimeContext, request: StartRequest): Instance {
  const { state, clock, capacity } = context
  const known = state.instances.get(request.instanceId)
  if (known !== undefined) return known.instance
  const { sandbox } = request
  if (sandbox === undefined || request.instanceId === '') {
    throw new SandboxDriverError('INVALID_ARGUMENT', 'sandbox and instance_id are required')
  }
  const other = activeInstance(state, sandbox.uid)
  if (other !== null) {
    const message = `instance ${other.instance.instanceId} of the sandbox has not ended`
    throw new SandboxDriverError('FAILED_PRECONDITION', message)
  }
  if ([...state.instances.values()].filter(isActive).length >= capacity) {
    const message = `the runtime runs ${capacity} instances already`
    throw new SandboxDriverError('RESOURCE_EXHAUSTED', message, { reason: 'CapacityExhausted' })
  }
  if (request.clean) state.files.delete(sandbox.uid)
  const instance = create(InstanceSchema, {
    sandbox,
    instanceId: request.instanceId,
    state: 'Running',
    pid: BigInt(state.effects.length + 1),
    startedUnixMs: BigInt(clock().getTime()),
    fence: request.fence,
  })
  return putInstance(state, { request, instance, log: `started ${request.instanceId}\n` })
}

function setPhase(
  state: ReferenceState,
  { instanceId }: InstanceRequest,
  phase: 'Frozen' | 'Running',
): Instance {
  const known = knownInstance(state, instanceId)
  if (!isActive(known)) {
    const message = `instance ${instanceId} is ${known.instance.state}`
    throw new SandboxDriverError('FAILED_PRECONDITION', message)
  }
  if (known.instance.state === phase) return known.instance
  return putInstance(state, { ...known, instance: { ...known.instance, state: phase } })
}

function terminateInstance({ state, clock }: RuntimeContext, request: TerminateRequest): Instance {
  const { instanceId, sandbox, removeWorkspace } = request
  if (removeWorkspace) state.files.delete(sandbox?.uid ?? '')
  const known = state.instances.get(instanceId)
  if (known === undefined) {
    const removed = { instanceId, state: 'Removed' }
    return create(InstanceSchema, sandbox === undefined ? removed : { ...removed, sandbox })
  }
  if (!isActive(known)) return known.instance
  return exitInstance(state, known, { exitSignal: SIGTERM, at: clock() })
}

/** Ends an instance, as a signal or its workload would. */
export function exitInstance(
  state: ReferenceState,
  known: ReferenceInstance,
  end: { readonly exitCode?: number; readonly exitSignal?: number; readonly at: Date },
): Instance {
  const { exitCode = 0, exitSignal = 0 } = end
  const finishedUnixMs = BigInt(end.at.getTime())
  const instance = { ...known.instance, state: 'Exited', exitCode, exitSignal, finishedUnixMs }
  return putInstance(state, { ...known, instance })
}

function removeSandbox(state: ReferenceState, uid: string): void {
  state.files.delete(uid)
  for (const known of state.instances.values()) {
    if (known.instance.sandbox?.uid !== uid) continue
    putInstance(state, { ...known, instance: { ...known.instance, state: 'Removed' } })
    state.instances.delete(known.instance.instanceId)
  }
}

/** Simulates `cat <path>` and `tee <path>`, which is what tests need to see files. */
function execute(
  state: ReferenceState,
  { instanceId, command, stdin }: ExecRequest,
): { readonly stdout: string; readonly exitCode: number } {
  const known = knownInstance(state, instanceId)
  if (known.instance.state !== 'Running' || known.instance.sandbox === undefined) {
    const message = `instance ${instanceId} is ${known.instance.state}`
    throw new SandboxDriverError('FAILED_PRECONDITION', message)
  }
  const files = filesOf(state, known.instance.sandbox)
  const [program, path = ''] = command
  if (program === 'tee') {
    const stdout = Buffer.from(stdin).toString()
    files.set(path, stdout)
    return { stdout, exitCode: 0 }
  }
  const stdout = program === 'cat' ? files.get(path) : undefined
  return stdout === undefined ? { stdout: '', exitCode: 1 } : { stdout, exitCode: 0 }
}

function knownInstance(state: ReferenceState, instanceId: string): ReferenceInstance {
  const known = state.instances.get(instanceId)
  if (known !== undefined) return known
  throw new SandboxDriverError('NOT_FOUND', `instance ${instanceId} does not exist`)
}

function isActive({ instance }: ReferenceInstance): boolean {
  return instance.state === 'Running' || instance.state === 'Frozen'
}
