import { CHECKPOINT_FUNCTIONS } from '../runtime/walls/gvisor/supervise.ts'

/** The status of the script if an earlier one still writes the memory. */
export const BUSY = 75

/**
 * Writes the memory of a container, whose processes end then. The script outlives the runtime: it
 * names itself and the runtime in the hold file, so that the container does not continue while one
 * of them works with its images, and continues if both were killed. The images get their name when
 * they are complete. If runsc fails, the container may still be writing them, so they stay: the
 * supervisor tries to continue from them when the container has ended.
 */
const CHECKPOINT = `
directory=$0 id=$1 freeze=$2 runtime=$3
shift 3
${CHECKPOINT_FUNCTIONS}
images=$directory/checkpoint partial=$directory/checkpoint/partial.$$
holding && exit ${BUSY}
mkdir -p -m 700 "$images" && mkdir -m 700 "$partial" || exit 1
started "$$" && own="$$ $start"
started "$runtime" && runtime="$runtime $start"
printf '%s\\n%s\\n' "$own" "$runtime" >"$directory/hold"
echo 0 >"$freeze"
if "$@" checkpoint "--image-path=$partial" "$id"; then
  mv "$partial" "$images/image"
  exit 0
fi
has_memory "$partial" || rm -rf "$partial"
rmdir "$images" 2>/dev/null
exit 1
`

interface Checkpoint {
  readonly directory: string
  readonly containerId: string
  /** The file that freezes and thaws the cgroup of the instance. */
  readonly freezeFile: string
  /** The process of this runtime. */
  readonly runtimePid: number
  /** runsc with its options. */
  readonly runsc: readonly string[]
}

/** The command that writes the memory of a frozen container. */
export function checkpointCommand(checkpoint: Checkpoint): readonly string[] {
  const { directory, containerId, freezeFile, runtimePid, runsc } = checkpoint
  const parameters = [directory, containerId, freezeFile, `${runtimePid}`]
  return ['/bin/sh', '-c', CHECKPOINT, ...parameters, ...runsc]
}
