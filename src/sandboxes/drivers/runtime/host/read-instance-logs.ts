import type { LogsRequest } from '../../generated/proto/snapshot_driver_pb.ts'
import { readLogs } from '../logs/read-logs.ts'
import { instancePaths, sandboxPaths } from '../sandbox-layout.ts'
import { findInstance } from './find-instance.ts'
import { type HostState, isLive } from './host-state.ts'

/** The output of the current instance, of a named one, or of the one before. */
export function readInstanceLogs(
  state: HostState,
  request: LogsRequest,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { uid = '' } = request.sandbox ?? {}
  const previous = request.previous ? state.records.get(uid)?.previous?.id : undefined
  const wanted = request.previous ? (previous ?? 'previous') : request.instanceId
  const { run } = findInstance(state, request.sandbox, wanted)
  return readLogs(instancePaths(sandboxPaths(state.layout, uid), run.id), {
    tailLines: Number(request.tailLines),
    since: Number(request.sinceUnixMs),
    follow: request.follow,
    hasEnded: () => {
      const { current = null } = state.records.get(uid) ?? {}
      return current?.id !== run.id || !isLive(current)
    },
    signal,
  })
}
