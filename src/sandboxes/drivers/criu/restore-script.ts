import { JOIN_CGROUPS } from '../runtime/instances/shim-command.ts'

/** The files that a restore reads and writes. */
export interface RestoreFiles {
  /** The images, a log and the script that criu runs after each step. */
  readonly images: string
  readonly cgroup: string
  /** Criu joins the cgroup by these files, so that the restored processes are its members. */
  readonly joinFiles: readonly string[]
  /** The runtime reads the pid of the restored instance from it. */
  readonly pidFile: string
  readonly outputFile: string
  /** The first process of the instance appends the exit status of the workload. */
  readonly exitStatusFile: string
  /** The files of the instance that was dumped, as the images name them. */
  readonly former: { readonly outputFile: string; readonly exitStatusFile: string }
}

/** Seconds after which criu counts as hung. A restore of many gigabytes takes less. */
const TIMEOUT_SECONDS = 120

/** Name of the script in the directory of the images. */
export const ACTION_SCRIPT_NAME = 'action-script'

/**
 * criu runs it after each step. The pid file appears only when the processes run, and the images
 * are removed, because the snapshot contains them.
 */
export const ACTION_SCRIPT = `#!/bin/sh
[ "$CRTOOLS_SCRIPT_ACTION" = post-resume ] || exit 0
rm -f "$CRTOOLS_IMAGE_DIR"/*.img
echo "$CRTOOLS_INIT_PID" >"$pid_file.tmp" && mv "$pid_file.tmp" "$pid_file"
`

/**
 * Runs criu in the cgroup of the instance and waits for the restored processes, whose parent criu
 * is. If criu fails or hangs, everything in the cgroup is killed: criu does not do so reliably. It
 * also ends if the files of the instance were removed.
 */
const RESTORE = `
images=$1 cgroup=$2 output=$4 status=$5 former_output=$6 former_status=$7 seconds=$8
export pid_file="$3"
shift 8
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
(
  sh -c '${JOIN_CGROUPS}' sh "$@" -- \\
    criu restore --images-dir="$images" --log-file=restore.log -v2 \\
    --action-script="$images/${ACTION_SCRIPT_NAME}" --manage-cgroups=ignore \\
    --tcp-close --file-locks --ghost-limit=64M \\
    --inherit-fd="fd[7]:\${former_output#/}" --inherit-fd="fd[8]:\${former_status#/}" \\
    </dev/null 7>>"$output" 8>>"$status" >/dev/null 2>&1
  echo "$?" >"$images/ended"
) &
tenths=0
while [ ! -s "$pid_file" ] && [ -d "$images" ] && [ ! -e "$images/ended" ] && [ "$tenths" -lt "$((seconds * 10))" ]; do
  tenths=$((tenths + 1))
  sleep 0.1
done
if [ -s "$pid_file" ]; then
  wait
  exit 0
fi
echo 1 >"$cgroup/cgroup.kill"
echo 'criu could not restore the memory of the snapshot:' >>"$output"
grep -m 5 Error "$images/restore.log" >>"$output"
exit 125
`

/** The command that restores an instance from its images and waits for its end. */
export function restoreCommand(files: RestoreFiles): readonly string[] {
  return [
    '/bin/sh',
    '-c',
    RESTORE,
    'sandbox-restore',
    files.images,
    files.cgroup,
    files.pidFile,
    files.outputFile,
    files.exitStatusFile,
    files.former.outputFile,
    files.former.exitStatusFile,
    String(TIMEOUT_SECONDS),
    ...files.joinFiles,
  ]
}
