import { execCommand } from '../exec/exec-command.ts'
import { instanceCommand } from '../instances/shim-command.ts'
import { volumeDirectory, workingDirectory } from '../instances/working-directory.ts'
import type { InstanceFiles, SandboxView, Wall } from './wall.ts'

/**
 * The class `process`: a process of the machine, with its network and its readable files. Root gives
 * each sandbox a user and a PID namespace.
 */
export const PROCESS_WALL: Wall = {
  name: 'process',
  separates: [],
  joinsNetworks: 'none',
  usesImages: false,
  view,
  instanceCommand: async ({ files, isolation, volumes, ...start }) => {
    const { workspace } = files.paths
    const directory = view(files).workingDirectory(volumes, start.workingDirectory)
    const inside = { ...files, workspace, workingDirectory: directory }
    return instanceCommand(inside, isolation, start.command)
  },
  readCommand: () => [],
  execCommand: ({ files, isolation, pid, request }) =>
    execCommand(
      request,
      { ...files, pid, workingDirectory: view(files).workingDirectory([], request.workingDir) },
      isolation,
    ),
  networkCommand: () => [],
}

/** Without a mount namespace, the workload sees the paths of the machine. */
function view({
  paths,
  environmentFile,
}: Pick<InstanceFiles, 'environmentFile' | 'paths'>): SandboxView {
  return {
    workspace: paths.workspace,
    environmentFile,
    volume: (volume) => volumeDirectory(paths, volume),
    workingDirectory: (volumes, wanted) => workingDirectory(paths, volumes, wanted),
  }
}
