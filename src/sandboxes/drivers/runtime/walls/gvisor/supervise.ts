import { ROUTER } from '../../network/router-addresses.ts'

/**
 * Defines `started`, which sets `start` to the start time of a process, and `holding`: whether one
 * of the processes in the hold file still runs. Pids alone could belong to later processes.
 */
export const HOLD_FUNCTIONS = `
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
`

/** The namespace of a container's network, as its supervisor and runsc open it. */
export const NETWORK_NAMESPACE = '/proc/self/fd/9'

/**
 * Runs a command in the mount namespace of its process, for the network of the address `$0`. runsc
 * moves address and routes into the container, so they are set again after a checkpoint. It refuses
 * the namespace if it finds a file that, on older kernels, only the network of the machine has.
 */
const IN_NETWORK = `
nsenter --net=${NETWORK_NAMESPACE} sh -c '
mount -t tmpfs -o ro,size=4k tmpfs /proc/sys/net/core &&
ip addr replace "$0/32" dev eth0 && ip link set eth0 up &&
ip route replace "$1" dev eth0 && ip route replace default via "$1"
' "$0" ${ROUTER.gateway} || exit 125
exec "$@"
`

const SUPERVISE = `
directory=$0 pid_file=$1 id=$2 action=$3 images=$4 namespace=$5 address=$6 in_network=$7
shift 7
if [ -n "$namespace" ]; then exec 9<"$namespace" || exit 125; fi
${HOLD_FUNCTIONS}
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
while :; do
  rm -f "$directory/sandbox-pid" "$directory/ended"
  boot "$@" &
  until running "$@"; do
    [ -e "$directory/ended" ] && break
    sleep 0.02
  done
  if [ ! -e "$directory/ended" ]; then
    rm -rf "$directory/restoring"
    [ -z "$images" ] || rm -rf "$images"
    echo "$$" >"$pid_file.tmp" && mv "$pid_file.tmp" "$pid_file"
  fi
  wait
  read -r code <"$directory/ended"
  if [ "$action" = restore ] && [ -d "$directory/restoring" ]; then
    [ "$code" -eq 0 ] || code=125
    echo 'runsc could not restore the memory of the snapshot'
  fi
  rm -rf "$directory/restoring"
  [ -d "$directory/checkpoint" ] || break
  while holding; do sleep 0.02; done
  # The checkpoint failed before it ended the processes, and they have ended since.
  [ -d "$directory/checkpoint" ] || break
  if [ ! -d "$directory/checkpoint/image" ]; then
    [ "$code" -ne 0 ] || code=125
    echo 'runsc could not write the memory of the processes, and they have ended'
    break
  fi
  "$@" delete --force "$id" 2>/dev/null
  mv "$directory/checkpoint" "$directory/restoring"
  action=restore
done
rm -rf "$directory/checkpoint"
echo "$code" >&3
exit "$code"
`

interface Supervision {
  readonly directory: string
  /** Written when commands can run beside the workload. */
  readonly pidFile: string
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
  const { directory, pidFile, containerId, action, images, network, runsc } = supervision
  const { namespace = '', address = '' } = network ?? {}
  const options = [directory, pidFile, containerId, action, images, namespace, address, IN_NETWORK]
  return ['/bin/sh', '-c', SUPERVISE, ...options, ...runsc]
}
