import { rm } from 'node:fs/promises'
import path from 'node:path'
import { must } from 'flotilla'
import { addVariables } from '../../exec/exec-command.ts'
import { joinCgroups, withEnvironment } from '../../instances/shim-command.ts'
import { runProgram } from '../../machine/run-program.ts'
import { ENVIRONMENT_FILE, SANDBOX_VIEW, WORKSPACE } from '../view/places.ts'
import type { WallExec, WallTarget } from '../wall.ts'
import { containerFiles, containerId } from './engine.ts'

const SH = '/bin/sh'
const TIMEOUT_MS = 10_000

/**
 * Signals the children of the first process, which is a shell and would not pass signals on. Fails if
 * it has none.
 */
const SIGNAL_CHILDREN = `
code=1
for file in /proc/[0-9]*/stat; do
  { read -r line <"$file"; } 2>/dev/null || continue
  pid=\${line%% *}
  rest=\${line##*) }
  parent=\${rest#* }
  [ "\${parent%% *}" = 1 ] && kill -s "$0" "$pid" && code=0
done
exit "$code"
`

/** Kills a command beside the workload with the processes of its session. */
const KILL_SESSION = `
for file in /proc/[0-9]*/stat; do
  { read -r line <"$file"; } 2>/dev/null || continue
  pid=\${line%% *}
  set -- \${line##*) }
  [ "$4" = "$0" ] || [ "$pid" = "$0" ] && kill -s KILL "$pid"
done
`

/** Runs the command with the pid in the file as its last argument. */
const WITH_PID = 'read -r pid <"$0"; [ -n "$pid" ] && exec "$@" "$pid"'

/** The command that runs a request beside the workload of a container. */
export function execCommand(runsc: readonly string[], exec: WallExec): readonly string[] {
  const { startPrograms } = exec
  const workingDirectory = SANDBOX_VIEW.workingDirectory([], exec.request.workingDir)
  return [
    ...joinCgroups(exec.files),
    ...runsc,
    'exec',
    `--internal-pid-file=${pidFile(exec)}`,
    ...inContainer(exec),
    ...withEnvironment(
      { environmentFile: ENVIRONMENT_FILE, workingDirectory, startPrograms },
      addVariables(exec.request, startPrograms),
    ),
  ]
}

/** Cleans up after a command. If runsc was killed, it has left the command in the container. */
export async function endExec(
  runsc: readonly string[],
  exec: WallExec,
  hasEnded: boolean,
): Promise<void> {
  const file = pidFile(exec)
  if (!hasEnded) {
    const { sh } = exec.startPrograms
    const kill = [...runsc, 'exec', ...inContainer(exec), ...sh, '-c', KILL_SESSION]
    await runProgram([SH, '-c', WITH_PID, file, ...kill], { timeoutMs: TIMEOUT_MS })
  }
  await rm(file, { force: true })
}

/** Signals the workload of a container. Returns false if it has none. */
export async function signalWorkload(
  runsc: readonly string[],
  target: WallTarget,
  signal: NodeJS.Signals,
): Promise<boolean> {
  const command = [...target.startPrograms.sh, '-c', SIGNAL_CHILDREN, signal.replace('SIG', '')]
  const { code } = await runProgram([...runsc, 'exec', ...inContainer(target), ...command], {
    timeoutMs: TIMEOUT_MS,
  })
  return code === 0
}

/** The options and the name of a container. The environment file is in the run directory. */
function inContainer({
  files,
  imageUser,
  isolation,
}: Pick<WallExec, 'files' | 'imageUser' | 'isolation'>): readonly string[] {
  const { uid, gid } = imageUser ?? must(isolation.user, 'the user of a sandbox')
  const container = containerId(path.dirname(files.environmentFile))
  return [`--user=${uid}:${gid}`, `--cwd=${WORKSPACE}`, container]
}

function pidFile({ files, id }: Pick<WallExec, 'files' | 'id'>): string {
  const { directory } = containerFiles(path.dirname(files.environmentFile))
  return path.join(directory, `exec-${id}`)
}
