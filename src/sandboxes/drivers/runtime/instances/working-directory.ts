import path from 'node:path'
import type { Volume } from '../../generated/proto/snapshot_driver_pb.ts'
import type { SandboxPaths } from '../sandbox-layout.ts'

/** The real directory of a volume. */
export function volumeDirectory(paths: SandboxPaths, volume: Volume): string {
  if (volume.content !== undefined) return path.join(paths.contents, volume.name)
  return path.join(volume.ephemeral ? paths.ephemeral : paths.volumes, volume.name)
}

/**
 * The real path of a workload's working directory. Without a mount namespace, a path below the
 * `mountPath` of a volume is in that volume, and every other path is below the workspace.
 */
export function workingDirectory(
  paths: SandboxPaths,
  volumes: readonly Volume[],
  directory: string,
): string {
  // `resolve` removes `..`, so that no path leaves the sandbox.
  const wanted = path.resolve('/', directory)
  for (const volume of volumes) {
    if (volume.mountPath === '') continue
    const mount = path.resolve('/', volume.mountPath)
    const isBelow = wanted === mount || wanted.startsWith(`${mount}/`)
    if (isBelow) return path.join(volumeDirectory(paths, volume), path.relative(mount, wanted))
  }
  return path.join(paths.workspace, wanted)
}
