import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/** Addresses that exist only inside the namespaces of a test. */
export const MACHINE = '203.0.113.1'
export const PUBLIC = '203.0.113.10'
export const OTHER_PUBLIC = '198.51.100.10'
export const NAME_SERVER = '203.0.113.53'
export const BLOCKED = ['10.1.2.3', '172.16.9.9', '192.168.7.7', '169.254.169.254', '168.63.129.16']

/** The name of a network namespace of the machine, as container runtimes create them. */
export const OTHER_CONTAINER = 'other-container'

/** A machine in a network namespace, with simulated public, private and metadata servers around it. */
export interface SimulatedMachine extends AsyncDisposable {
  /** The prefix of commands that run on the machine. */
  readonly enter: readonly string[]
}

const PROGRAMS = ['ip', 'nft', 'perl', 'slirp4netns', 'nsenter', 'unshare', 'setpriv']

/** Why tests with these programs cannot run here; null if they can. */
export function networkTestProblem(programs: readonly string[] = []): string | null {
  if (process.getuid?.() !== 0) return 'needs root to simulate a machine'
  const directories = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']
  const missing = [...PROGRAMS, ...programs].filter(
    (name) => !directories.some((directory) => existsSync(path.join(directory, name))),
  )
  if (missing.length > 0) return `needs ${missing.join(', ')}`
  return existsSync('/dev/net/tun') ? null : 'needs /dev/net/tun'
}

interface MachineOptions {
  /** The mode of its /dev/net/tun. */
  readonly tunMode: number
  /** The paths of programs that it does not have. */
  readonly missing?: readonly string[]
}

/** Starts a machine. */
export async function startMachine(
  directory: string,
  { tunMode, missing = [] }: MachineOptions,
): Promise<SimulatedMachine> {
  const children: ChildProcess[] = []
  const stop = (): void => {
    for (const child of children.toReversed()) child.kill('SIGKILL')
  }
  try {
    const internet = await namespace(children)
    const machine = await namespace(children)
    const resolv = path.join(directory, 'machine-resolv.conf')
    await writeFile(resolv, `nameserver ${NAME_SERVER}\noptions timeout:1 attempts:2\n`)
    run(machine, [
      `mount --bind ${resolv} /etc/resolv.conf`,
      'mount -t tmpfs tmpfs /dev/net',
      'mknod /dev/net/tun c 10 200',
      `chmod ${tunMode.toString(8)} /dev/net/tun`,
      ...missing.map((program) => `mount --bind /dev/null ${program}`),
      'mkdir -p /run/netns',
      'mount -t tmpfs tmpfs /run/netns',
      `ip netns add ${OTHER_CONTAINER}`,
      'ip link set lo up',
      `ip link add uplink type veth peer name machine netns ${internet.pid}`,
      `ip addr add ${MACHINE}/24 dev uplink`,
      'ip link set uplink up',
      `ip route add default via ${PUBLIC}`,
    ])
    const addresses = [
      `${PUBLIC}/24`,
      ...[OTHER_PUBLIC, NAME_SERVER, ...BLOCKED].map((a) => `${a}/32`),
    ]
    run(internet, [
      'ip link set lo up',
      ...addresses.map((address) => `ip addr add ${address} dev machine`),
      'ip link set machine up',
    ])
    const servers = [
      NAME_SERVER,
      `allowed.test=${PUBLIC}`,
      `other.test=${OTHER_PUBLIC}`,
      'inside.test=10.1.2.3',
    ]
    await server(internet, servers, children)
    await server(machine, [MACHINE], children)
    return {
      enter: enter(machine),
      [Symbol.asyncDispose]: () => Promise.resolve(stop()),
    }
  } catch (error) {
    stop()
    throw error
  }
}

async function server(
  { pid }: ChildProcess,
  parameters: readonly string[],
  children: ChildProcess[],
): Promise<void> {
  const script = path.join(import.meta.dirname, 'simulated-internet.mjs')
  const [program, ...rest] = [...enter({ pid }), process.execPath, script]
  const child = spawn(program, [...rest, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(failed)])
}

function failed(): never {
  throw new Error('a simulated server has ended')
}

/** A new namespace, held by a process. */
async function namespace(children: ChildProcess[]): Promise<ChildProcess> {
  const script = 'echo ready; exec sleep 2147483647'
  const parameters = ['--net', '--mount', '--propagation=private', 'sh', '-c', script]
  const child = spawn('unshare', parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(failed)])
  return child
}

function run(target: ChildProcess, commands: readonly string[]): void {
  const [program = '', ...parameters] = enter(target)
  execFileSync(program, [...parameters, 'sh', '-ec', commands.join('\n')], { stdio: 'inherit' })
}

function enter({ pid }: Pick<ChildProcess, 'pid'>): readonly string[] {
  return ['nsenter', `--target=${pid}`, '--net', '--mount', '--']
}

/** Prints what the address sends, or the code of the error. Perl starts faster than Node. */
const ASK = `
use Errno;
use Socket;
my ($name, $port) = @ARGV;
my ($problem, @found) = Socket::getaddrinfo($name, $port,
  { family => AF_INET, socktype => SOCK_STREAM });
if ($problem) { print $problem == EAI_AGAIN ? 'EAI_AGAIN' : 'ENOTFOUND'; exit }
socket(my $peer, AF_INET, SOCK_STREAM, 0) or die $!;
connect($peer, $found[0]{addr}) or do { print grep { $!{$_} } keys %!; exit };
print <$peer>;
`

/** The answer of `address:port` to a command on the machine or in a sandbox, or an error code. */
export async function askFrom(
  prefix: readonly string[],
  target: string,
  port = 80,
): Promise<string> {
  const [program, ...parameters] = [...prefix, 'perl', '-e', ASK, target, `${port}`]
  const { stdout } = await promisify(execFile)(program, parameters)
  return stdout.trim()
}
