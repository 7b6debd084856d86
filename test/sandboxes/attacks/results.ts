import { ATTACK_ON_THE_API, ATTACKS_WITHOUT_NETWORK, attacksOnNetworks } from './network-attacks.ts'

/** The attacks of a class that succeed on Debian 12. All others fail. */
export interface AttackResult {
  readonly isolationClass: string
  /** The user of the runtime. */
  readonly user: 'root' | 'an ordinary user'
  readonly succeed: readonly string[]
  /** Use the kernel of the class, which is not that of the machine: harmless, and not compared. */
  readonly offeredByOwnKernel?: readonly string[]
}

/** Succeed in every sandbox without a wall. */
const WITHOUT_WALL = [
  "read the machine's /tmp",
  'see processes of another sandbox',
  'use abstract sockets of the machine',
  'reach the API on localhost',
  "reach another sandbox's port on localhost",
  'create a user namespace',
  "add keys to the user's keyring",
  'use the system call bpf',
  'use the system call perf_event_open',
  'use the system call io_uring_setup',
  'open files by handle',
]

/** Succeed from the machine's network. The addresses of a router exist only inside it. */
const ON_THE_MACHINE = [...attacksOnNetworks('', 0), ...ATTACKS_WITHOUT_NETWORK]
  .map(({ name }) => name)
  .filter((name) => name !== 'reach the router of the runtime')

/** Succeed because all sandboxes run as the runtime's user. */
const AS_THE_SAME_USER = [
  'read files of another sandbox',
  'read private files of the runtime',
  "read the runtime's environment",
  'read another file system by /proc/*/root',
  'signal processes of another sandbox',
  'trace processes of another sandbox',
  'read the memory of processes of another sandbox',
  'signal the runtime',
  "use the runtime's socket",
]

/** The attacks on networks that a sandbox with a wall may make, by the networks it has. */
export const PERMITTED_ATTACKS = {
  None: [],
  Internet: ATTACKS_WITHOUT_NETWORK.map(({ name }) => name),
  'None, and access to the API': [ATTACK_ON_THE_API.name],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The drill `sandbox-attacks` compares with these. */
export const ATTACK_RESULTS: readonly AttackResult[] = [
  { isolationClass: 'bubblewrap', user: 'root', succeed: [] },
  { isolationClass: 'bubblewrap', user: 'an ordinary user', succeed: [] },
  {
    isolationClass: 'gvisor',
    user: 'root',
    succeed: [],
    offeredByOwnKernel: [
      'create a user namespace',
      'open devices of network and file systems',
      'use the system call perf_event_open',
      'use the system call io_uring_setup',
      'open files by handle',
    ],
  },
  { isolationClass: 'process', user: 'root', succeed: [...WITHOUT_WALL, ...ON_THE_MACHINE] },
  {
    isolationClass: 'process',
    user: 'an ordinary user',
    succeed: [...WITHOUT_WALL, ...ON_THE_MACHINE, ...AS_THE_SAME_USER],
  },
]
