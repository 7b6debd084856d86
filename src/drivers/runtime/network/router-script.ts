/** Waits for a long time. Only the machine's PATH of system programs is used. */
const FOREVER = 2_147_483_647

/**
 * The first process of the router namespace: gives it a private /run for the names of network
 * namespaces, and lets it forward. `$0` is the file that says so.
 */
const HOLDER = [
  'set -e',
  'mount -t tmpfs -o mode=0755,size=64k tmpfs /run',
  'mkdir /run/netns',
  'ip link set lo up',
  'echo 1 >/proc/sys/net/ipv4/ip_forward',
  'echo ready >&3',
  'exec 3>&-',
  `exec sleep ${FOREVER}`,
].join('\n')

/**
 * Keeps the router of a runtime: its namespace, and slirp4netns, which it starts again if it ends.
 * It outlives the runtime, as the workloads do, and ends with its process group when the directory
 * `$0` has lost its file `holder`. `$1` is HOLDER, `$2` is slirp4netns or empty, and the rest is the
 * command that creates the namespace.
 */
const SUPERVISOR = [
  'cd "$0" || exit 125',
  'script="$1"; slirp="$2"; network="$3"; shift 3',
  '"$@" sh -c "$script" 3>prepared &',
  'holder=$!',
  'echo "$holder" >holder.tmp && mv holder.tmp holder',
  'while ! [ -s prepared ]; do kill -0 "$holder" || exit 125; sleep 0.01; done',
  'if [ -n "$slirp" ]; then',
  '  while [ -e "$0/holder" ]; do',
  '    "$slirp" --configure --mtu=65520 --disable-host-loopback --enable-sandbox \\',
  '      --enable-seccomp --cidr="$network" --ready-fd=3 "$holder" tap0 3>ready',
  '    sleep 1',
  '  done &',
  'fi',
  'while [ -e "$0/holder" ]; do sleep 2; done',
  'kill -KILL 0',
].join('\n')

interface RouterOptions {
  /** The directory of its files. */
  readonly directory: string
  /** Whether root runs it. Others get a user namespace. */
  readonly isRoot: boolean
  readonly unshare: string
  /** The path of slirp4netns; null for a router without an uplink. */
  readonly slirp: string | null
  readonly uplinkNetwork: string
}

/** The command of a router. */
export function routerCommand(options: RouterOptions): readonly string[] {
  const { directory, isRoot, unshare, slirp, uplinkNetwork } = options
  const user = isRoot ? [] : ['--user', '--map-root-user']
  const namespaces = [unshare, ...user, '--net', '--mount', '--propagation=private', '--']
  return ['/bin/sh', '-c', SUPERVISOR, directory, HOLDER, slirp ?? '', uplinkNetwork, ...namespaces]
}
