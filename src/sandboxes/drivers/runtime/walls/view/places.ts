import path from 'node:path'
import type { Volume } from '../../../generated/proto/snapshot_driver_pb.ts'
import { volumeDirectory } from '../../instances/working-directory.ts'
import type { SandboxPaths } from '../../sandbox-layout.ts'
import type { SandboxView } from '../wall.ts'
import { START_DIRECTORY } from './start-programs.ts'

/** The workspace, which is also the home directory. */
export const WORKSPACE = '/workspace'

/** The statements that export the variables of the workload. */
export const ENVIRONMENT_FILE = `${START_DIRECTORY}/environment`

/** Paths of manifests are the paths that the workload sees. */
export const SANDBOX_VIEW: SandboxView = {
  workspace: WORKSPACE,
  environmentFile: ENVIRONMENT_FILE,
  volume: ({ name, mountPath }) => path.resolve('/volumes', mountPath || name),
  workingDirectory: (_, wanted) => path.resolve(WORKSPACE, wanted),
}

/** A volume on the machine, and its path in the sandbox. */
export interface PlacedVolume {
  readonly source: string
  readonly target: string
  readonly isReadOnly: boolean
}

export function placeVolume(paths: SandboxPaths, volume: Volume): PlacedVolume {
  return {
    source: volumeDirectory(paths, volume),
    target: SANDBOX_VIEW.volume(volume),
    isReadOnly: volume.readOnly || volume.content !== undefined,
  }
}
