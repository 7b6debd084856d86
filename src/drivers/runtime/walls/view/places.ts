import path from 'node:path'
import type { SandboxView } from '../wall.ts'

/** The workspace, which is also the home directory. */
export const WORKSPACE = '/workspace'

/** The statements that export the variables of the workload. */
export const ENVIRONMENT_FILE = '/run/sandbox/environment'

/** Paths of manifests are the paths that the workload sees. */
export const SANDBOX_VIEW: SandboxView = {
  workspace: WORKSPACE,
  environmentFile: ENVIRONMENT_FILE,
  volume: ({ name, mountPath }) => path.resolve('/volumes', mountPath || name),
  workingDirectory: (_, wanted) => path.resolve(WORKSPACE, wanted),
}
