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

/** The first process of a namespace that was prepared before. The link of slirp4netns was left. */
const NEXT_HOLDER = [
  'ip link del tap0 2>/dev/null || :',
  'echo ready >&3',
  'exec 3>&- 7<&- 8<&- 9<&-',
  `exec sleep ${FOREVER}`,
].join('\n')

/**
 * Keeps the router of a runtime: its namespace, and slirp4netns, which it starts again if it ends.
 * It outlives the runtime, as the workloads do, and ends with its process group when the directory
 * `$0` has lost its file `holder`. Its descriptors 7 to 9 keep the namespaces if the first process
 * is killed. `$1` is HOLDER, `$2` is slirp4netns or empty, `$3` its network, `$4` the words before
 * it, and the rest is the command that creates the namespace.
 */
const SUPERVISOR = [
  'cd "$0" || exit 125',
  'script="$1"; slirp="$2"; network="$3"; privately="$4"; shift 4',
  '"$@" sh -c "$script" 3>prepared &',
  'holder=$!',
  'echo "$holder" >holder.tmp && mv holder.tmp holder',
  'while ! [ -s prepared ]; do kill -0 "$holder" || exit 125; sleep 0.01; done',
  'if ! [ -e /proc/self/fd/9 ]; then',
  '  exec 7</proc/"$holder"/ns/net 8</proc/"$holder"/ns/mnt 9</proc/"$holder"/ns/user',
  'fi',
  'if [ -n "$slirp" ]; then',
  '  while [ -e "$0/holder" ]; do',
  '    $privately "$slirp" --configure --mtu=65520 --disable-host-loopback --enable-sandbox \\',
  '      --enable-seccomp --cidr="$network" --ready-fd=3 "$holder" tap0 \\',
  '      3>ready 7<&- 8<&- 9<&-',
  '    sleep 1',
  '  done &',
  '  echo "$!" >uplink.tmp && mv uplink.tmp uplink',
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
  readonly nsenter: string
  /** Whether the descriptors 7 to 9 are the namespaces of a router that was killed. */
  readonly hasNamespaces: boolean
  /** The path of slirp4netns; null for a router without an uplink. */
  readonly slirp: string | null
  readonly uplinkNetwork: string
}

/** The command of a router. */
export function routerCommand(options: RouterOptions): readonly string[] {
  const { directory, hasNamespaces, slirp, uplinkNetwork } = options
  const [holder, namespaces] = hasNamespaces
    ? [NEXT_HOLDER, enterNamespaces(options)]
    : [HOLDER, createNamespaces(options)]
  const parameters = [directory, holder, slirp ?? '', uplinkNetwork, privately(options)]
  return ['/bin/sh', '-c', SUPERVISOR, ...parameters, ...namespaces, '--']
}

/**
 * To hide files from itself, slirp4netns unmounts all of them. In the mount namespace of root, that
 * would remove the named network namespaces of the machine, such as those of its containers.
 */
function privately({ isRoot, unshare }: RouterOptions): string {
  return isRoot ? `${unshare} --mount --propagation=private --` : ''
}

function createNamespaces({ isRoot, unshare }: RouterOptions): readonly string[] {
  const user = isRoot ? [] : ['--user', '--map-root-user']
  return [unshare, ...user, '--net', '--mount', '--propagation=private']
}

function enterNamespaces({ isRoot, nsenter }: RouterOptions): readonly string[] {
  const user = isRoot ? [] : ['--user=/proc/self/fd/9', '--preserve-credentials']
  return [nsenter, ...user, '--net=/proc/self/fd/7', '--mount=/proc/self/fd/8']
}
