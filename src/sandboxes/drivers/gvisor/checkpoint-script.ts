import { HOLD_FUNCTIONS } from '../runtime/walls/gvisor/supervise.ts'

/**
 * Writes the memory of a container, whose processes end then. The script outlives the runtime: it
 * names itself and the runtime in the hold file, so that the container does not continue while one
 * of them works with its images, and continues if both were killed. The images get their name when
 * they are complete.
 */
const CHECKPOINT = `
directory=$0 id=$1 freeze=$2
shift 2
${HOLD_FUNCTIONS}
images=$directory/checkpoint
started "$$" && own="$$ $start"
started "$PPID" && parent="$PPID $start"
printf '%s\\n%s\\n' "$own" "$parent" >"$directory/hold"
mkdir -m 700 "$images" "$images/partial" || exit 1
echo 0 >"$freeze"
if "$@" checkpoint "--image-path=$images/partial" "$id"; then
  mv "$images/partial" "$images/image"
  exit 0
fi
"$@" state "$id" 2>/dev/null | grep -q '"status": "running"' && rm -rf "$images"
rm -f "$directory/hold"
exit 1
`

interface Checkpoint {
  readonly directory: string
  readonly containerId: string
  /** The file that freezes and thaws the cgroup of the instance. */
  readonly freezeFile: string
  /** runsc with its options. */
  readonly runsc: readonly string[]
}

/** The command that writes the memory of a frozen container. */
export function checkpointCommand(checkpoint: Checkpoint): readonly string[] {
  const { directory, containerId, freezeFile, runsc } = checkpoint
  return ['/bin/sh', '-c', CHECKPOINT, directory, containerId, freezeFile, ...runsc]
}
