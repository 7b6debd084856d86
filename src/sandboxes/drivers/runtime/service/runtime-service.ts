import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { create } from '@bufbuild/protobuf'
import { packageVersion } from 'flotilla/programs'
import {
  GetRuntimeInfoResponseSchema,
  InstanceResponseSchema,
  LogChunkSchema,
  RemoveResponseSchema,
  type SandboxRuntime,
  StartResponseSchema,
  type Instance,
} from '../../generated/proto/snapshot_driver_pb.ts'
import { callerInstallation, REGISTRATION_HEADER } from '../../protocol/installation.ts'
import { execInInstance } from '../host/exec-in-instance.ts'
import { findInstance } from '../host/find-instance.ts'
import { freezeInstance } from '../host/freeze-instance.ts'
import { countLive, describeInstance, type HostState } from '../host/host-state.ts'
import { readInstanceLogs } from '../host/read-instance-logs.ts'
import { renewToken } from '../host/renew-token.ts'
import { removeSandbox } from '../host/remove-sandbox.ts'
import { modesOf, networkProblemOf, offersApi } from '../host/start/instance-network.ts'
import { startInstance } from '../host/start/start-instance.ts'
import { terminateInstance } from '../host/terminate-instance.ts'
import { runtimeImages } from '../host/start/instance-image.ts'
import { limitScopes } from '../machine/limit-scopes.ts'
import { startProblemOf } from '../walls/start-problem.ts'
import type { Wall } from '../walls/wall.ts'
import type { InstallationBinding } from './installation-binding.ts'

interface Identity {
  /** Name of the SandboxRuntime. */
  readonly id: string
  readonly binding: Pick<InstallationBinding, 'refusalOf' | 'refusalOfId'>
}

/** The calls of SandboxRuntime. */
export function runtimeService(
  state: HostState,
  { id, binding }: Identity,
): ServiceImpl<typeof SandboxRuntime> {
  return {
    start: async (request, { signal }) =>
      create(StartResponseSchema, { instance: await startInstance(state, request, signal) }),
    freeze: async (request, { signal }) =>
      create(InstanceResponseSchema, {
        instance: await freezeInstance(state, { request, signal }, true),
      }),
    thaw: async (request, { signal }) =>
      create(InstanceResponseSchema, {
        instance: await freezeInstance(state, { request, signal }, false),
      }),
    terminate: async (request, { signal }) =>
      create(InstanceResponseSchema, { instance: await terminateInstance(state, request, signal) }),
    renewToken: async (request, { signal }) =>
      create(InstanceResponseSchema, { instance: await renewToken(state, request, signal) }),
    remove: async (request, { signal }) => {
      await removeSandbox(state, request, signal)
      return create(RemoveResponseSchema)
    },
    getInstance: async (request) => {
      const { record, run } = findInstance(state, request.sandbox, request.instanceId)
      return create(InstanceResponseSchema, {
        instance: await describeInstance(state, record, run),
      })
    },
    listInstances: () => listInstances(state),
    watch: (_request, context) => watch(state, context),
    exec: (request, { signal }) => execInInstance(state, request, signal),
    logs: async function* (request, { signal }) {
      for await (const data of readInstanceLogs(state, request, signal)) {
        yield create(LogChunkSchema, { data })
      }
    },
    getRuntimeInfo: async ({ apiServer }, { requestHeader }) => {
      const caller = callerInstallation(requestHeader)
      const registration = requestHeader.get(REGISTRATION_HEADER)
      const refusal =
        caller !== null
          ? await binding.refusalOf(caller)
          : registration && (await binding.refusalOfId(registration))
      // Its requests carry tokens of this installation's sandboxes.
      if (apiServer !== undefined && !refusal) state.api.heard(apiServer)
      return runtimeInfo(state, { id, refusal: refusal ?? '' })
    },
  }
}

/** Subscribes before it lists, so that no change is lost between both. */
async function* watch(state: HostState, { signal }: HandlerContext) {
  const changes = state.broadcaster.subscribe(signal)
  yield* listInstances(state)
  yield* changes
  // Otherwise a client whose deadline has passed could receive a regular end.
  signal.throwIfAborted()
}

/** The policies that a class enforces, and why one is missing. */
function networkPolicies({ networks, api }: HostState, wall: Wall | null) {
  if (wall === null) return {}
  return {
    apiAccess: offersApi({ api }, wall),
    networkPolicies: [...modesOf(wall, networks)],
    networkProblem: networkProblemOf(wall, networks),
  }
}

interface Introduction {
  readonly id: string
  readonly refusal: string
}

async function runtimeInfo(state: HostState, { id, refusal }: Introduction) {
  const { machine, drivers, capacity } = state
  return create(GetRuntimeInfoResponseSchema, {
    id,
    refusal,
    machine: machine.name,
    version: packageVersion(),
    freezes: machine.cgroups !== null,
    limits: (['memory', 'pids'] as const).every((name) =>
      machine.cgroups?.controllers.includes(name),
    ),
    isolatesUsers: machine.isolatesUsers,
    startProblem: startProblemOf(state.walls),
    isolationClasses: state.walls.map(({ name, separates, reason, wall }, index, walls) => ({
      name,
      separates: [...separates],
      reason,
      ...networkPolicies(state, wall),
      isDefault: index === walls.findIndex((each) => each.reason === ''),
    })),
    images: await runtimeImages(state),
    limitScopes: limitScopes(machine).map((scope) => ({ ...scope })),
    capacity,
    instances: countLive(state),
    bootId: machine.bootId,
    // An empty endpoint is this runtime's.
    drivers: [...drivers.keys()].map((name) => ({ name, endpoint: '' })),
  })
}

/** The last instance of every sandbox. */
async function* listInstances(state: HostState): AsyncGenerator<Instance> {
  for (const record of state.records.values()) {
    if (record.current !== null) yield await describeInstance(state, record, record.current)
  }
}
