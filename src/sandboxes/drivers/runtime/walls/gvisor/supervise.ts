import { ROUTER } from '../../network/router-addresses.ts'

/**
 * Defines `started`, which sets `start` to the start time of a process, and `holding`: whether one
 * of the processes in the hold file still runs. Pids alone could belong to later processes. After
 * the end of a container, `has_memory` is whether it wrote its memory into a directory.
 */
export const CHECKPOINT_FUNCTIONS = `
started() {
  start=
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- \${line##*) }
  start=\${20}
}
holding() {
  [ -e "$directory/hold" ] || return 1
  while read -r held held_start; do
    started "$held" && [ "$start" = "$held_start" ] && return 0
  done <"$directory/hold"
  return 1
}
has_memory() { [ -n "$(find "$1" -type f -size +0 2>/dev/null)" ]; }
`

/** The namespace of a container's network, as its supervisor and runsc open it. */
export const NETWORK_NAMESPACE = '/proc/self/fd/9'

/**
 * Runs a command in the mount namespace of its process, for the network of the address `$0`. runsc
 * moves address and routes into the container, so they are set again after a checkpoint. It refuses
 * the namespace if it finds a file that, on older kernels, only the network of the machine has. In a
 * user namespace, runsc can mount `/proc` only if one is visible of which nothing is hidden.
 */
const IN_NETWORK = `
nsenter --net=${NETWORK_NAMESPACE} sh -c '
hidden=/proc/sys/net/core &&
mount -t tmpfs -o size=4k tmpfs "$hidden" &&
{ mkdir "$hidden/proc" && mount -t proc proc "$hidden/proc"; mount -o remount,ro "$hidden"; } &&
ip addr replace "$0/32" dev eth0 && ip link set eth0 up &&
ip route replace "$1" dev eth0 && ip route replace default via "$1"
' "$0" ${ROUTER.gateway} || exit 125
exec "$@"
`

/** The status of runsc if it fails itself. Programs end with another one. */
const ENGINE_FAILED = 128

/** Attempts to restore memory: runsc can fail for reasons that pass, such as a busy machine. */
const MAX_RESTORES = 3

const SUPERVISE = `
directory=$0 pid_file=$1 lost_file=$2 id=$3 action=$4 images=$5 namespace=$6 address=$7 in_network=$8
shift 8
if [ -n "$namespace" ]; then exec 9<"$namespace" || exit 125; fi
${CHECKPOINT_FUNCTIONS}
boot() {
  if [ "$action" = restore ]; then set -- "$@" restore "--image-path=$directory/restoring/image"
  else set -- "$@" run; fi
  set -- "$@" "--bundle=$directory" "--pid-file=$directory/sandbox-pid" "$id"
  if [ -n "$address" ]; then
    unshare --mount --propagation=private sh -c "$in_network" "$address" "$@" 3>&-
  else
    "$@" 3>&-
  fi
  echo "$?" >"$directory/ended.tmp"
  mv "$directory/ended.tmp" "$directory/ended"
}
running() {
  [ -s "$directory/sandbox-pid" ] && "$@" state "$id" 2>/dev/null | grep -q '"status": "running"'
}
restores=0
while :; do
  rm -f "$directory/sandbox-pid" "$directory/ended"
  boot "$@" &
  until running "$@" || [ -e "$directory/ended" ]; do sleep 0.02; done
  code=
  [ ! -e "$directory/ended" ] || read -r code <"$directory/ended"
  if [ "$action" = restore ] && [ "$code" = ${ENGINE_FAILED} ]; then
    wait
    echo 'runsc could not restore the memory of the processes'
    restores=$((restores + 1))
    if [ "$restores" -lt ${MAX_RESTORES} ]; then
      "$@" delete --force "$id" 2>/dev/null
      continue
    fi
    code=125
    # The snapshot of a start is still there. The memory of a checkpoint was the only one.
    [ -n "$images" ] || : >"$lost_file"
    break
  fi
  restores=0
  rm -rf "$directory/restoring"
  [ -z "$images" ] || rm -rf "$images"
  images=
  echo "$$" >"$pid_file.tmp" && mv "$pid_file.tmp" "$pid_file"
  wait
  read -r code <"$directory/ended"
  [ -d "$directory/checkpoint" ] || break
  while holding; do sleep 0.02; done
  # The checkpoint failed before it ended the processes.
  [ -d "$directory/checkpoint" ] || break
  # The command that names the images was killed or has failed. A restore finds out whether they are
  # complete.
  for partial in "$directory"/checkpoint/partial.*; do
    [ -d "$directory/checkpoint/image" ] || ! has_memory "$partial" ||
      mv "$partial" "$directory/checkpoint/image"
  done
  # Without images, the processes have ended themselves.
  [ -d "$directory/checkpoint/image" ] || break
  "$@" delete --force "$id" 2>/dev/null
  mv "$directory/checkpoint" "$directory/restoring"
  action=restore
done
rm -rf "$directory/checkpoint" "$directory/restoring"
echo "$code" >&3
exit "$code"
`

interface Supervision {
  readonly directory: string
  /** Written when commands can run beside the workload, or if it has already ended. */
  readonly pidFile: string
  /** Written if memory that no snapshot contains could not be restored. */
  readonly lostFile: string
  readonly containerId: string
  /** `restore` continues from the images in the directory `restoring`. */
  readonly action: 'run' | 'restore'
  /** A directory that is removed when the container runs; empty if there is none. */
  readonly images: string
  /** The network that the container joins; null without one. */
  readonly network: { readonly namespace: string; readonly address: string } | null
  /** runsc with its options. */
  readonly runsc: readonly string[]
}

/**
 * The first process of an instance: it runs a container and reports its exit status. A checkpoint
 * ends the processes of a container. They continue from its images unless the instance ends: if the
 * checkpoint was a live snapshot, or if it failed later.
 */
export function superviseCommand(supervision: Supervision): readonly string[] {
  const { directory, pidFile, lostFile, containerId, action, images, network, runsc } = supervision
  const { namespace = '', address = '' } = network ?? {}
  const files = [directory, pidFile, lostFile]
  const options = [...files, containerId, action, images, namespace, address, IN_NETWORK]
  return ['/bin/sh', '-c', SUPERVISE, ...options, ...runsc]
}
