import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Instance, RenewTokenRequest } from '../../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import { apiVolume } from '../api/api-files.ts'
import { volumeDirectory } from '../instances/working-directory.ts'
import { writeContent } from '../instances/write-content.ts'
import { sandboxPaths } from '../sandbox-layout.ts'
import { requireLive } from './find-instance.ts'
import { describeInstance, type HostState, userOf } from './host-state.ts'
import { ownSandbox } from './own-sandbox.ts'

/** Replaces the files by which an instance uses the API, each atomically. */
export function renewToken(
  state: HostState,
  request: RenewTokenRequest,
  signal: AbortSignal,
): Promise<Instance> {
  return ownSandbox(state, { request, signal }, async ({ record }) => {
    const current = requireLive(record, request.instanceId)
    if (current.network?.apiPlane === undefined) {
      const message = `instance ${current.id} has no access to the API`
      throw new SandboxDriverError('FAILED_PRECONDITION', message)
    }
    const paths = sandboxPaths(state.layout, record.sandbox.uid)
    const { certificate } = state.api
    const { sandbox } = record
    // The mount exists already.
    const volume = apiVolume({ sandbox, certificate, token: request.token, mountPath: '' })
    const directory = volumeDirectory(paths, volume)
    const draft = `${directory}.new`
    await rm(draft, { recursive: true, force: true })
    const { content } = volume
    if (content !== undefined) {
      await writeContent({ parent: paths.contents, directory: draft }, content, userOf(record))
      for (const { path: file } of content.files) {
        await rename(path.join(draft, file), path.join(directory, file))
      }
    }
    await rm(draft, { recursive: true, force: true })
    return describeInstance(state, record, current)
  })
}
