/** A part of the wall of the class `bubblewrap`, on a runtime of root. */
export type WallPart =
  | 'files'
  | 'processes'
  | 'network'
  | 'user'
  | 'user namespace'
  | 'capabilities'
  | 'system calls'
  | 'descriptors'
  | 'new privileges'

/** The parts of the wall that each hold an attack alone, and its targets when they are open. */
export interface Opening {
  readonly parts: readonly WallPart[]
  /** Directories of the machine that it sees without the part `files`; those of the runtime if absent. */
  readonly directories?: readonly string[]
  /** Whether files of some machines are open for more users. */
  readonly dependsOnMachine?: true
  /** Whose user and network it has without these parts; the runtime's if absent. */
  readonly of?: 'victim'
}

const FILES_OF_VICTIM: Opening = { parts: ['files', 'user'], of: 'victim' }
const PROCESSES_OF_VICTIM: Opening = {
  parts: ['processes', 'user', 'user namespace'],
  of: 'victim',
}
const CALLED: Opening = { parts: ['system calls'] }
const CALLED_WITH_RIGHTS: Opening = { parts: ['system calls', 'capabilities'] }
/** The parts that some machines also need open, by settings of the kernel. */
export const ALL_RIGHTS: readonly WallPart[] = [
  'system calls',
  'capabilities',
  'user',
  'user namespace',
]
const CALLED_AS_ROOT: Opening = { parts: ALL_RIGHTS }

/** By the names of attacks. The test fails if an attack has none. */
export const OPENINGS: Readonly<Record<string, Opening>> = {
  'read files of another sandbox': FILES_OF_VICTIM,
  'read private files of the runtime': { parts: ['files', 'user'] },
  "read the machine's /tmp": { parts: ['files'] },
  "read the runtime's environment": {
    parts: ['processes', 'user', 'user namespace', 'capabilities'],
  },
  'read another file system by /proc/*/root': PROCESSES_OF_VICTIM,
  'see processes of another sandbox': { parts: ['processes'] },
  'signal processes of another sandbox': { parts: ['processes', 'user'], of: 'victim' },
  'trace processes of another sandbox': PROCESSES_OF_VICTIM,
  'read the memory of processes of another sandbox': PROCESSES_OF_VICTIM,
  'signal the runtime': { parts: ['processes', 'user'] },
  "use the runtime's socket": { parts: ['files', 'user'] },
  'use abstract sockets of the machine': { parts: ['network'] },
  'reach the API on localhost': { parts: ['network'] },
  "reach another sandbox's port on localhost": { parts: ['network'], of: 'victim' },
  'create a user namespace': CALLED,
  'mount a file system': CALLED_WITH_RIGHTS,
  "add keys to the user's keyring": CALLED,
  'change the clock': CALLED_AS_ROOT,
  "set the machine's name": CALLED_WITH_RIGHTS,
  'create a device': { parts: ['capabilities', 'user', 'user namespace'] },
  'open devices of the machine': {
    parts: ['files', 'user'],
    directories: ['/dev'],
    dependsOnMachine: true,
  },
  'open devices of network and file systems': { parts: ['files'], directories: ['/dev'] },
  "change the system's files": { parts: ['files'], directories: [] },
  "change the kernel's settings": { parts: ['user'] },
  'join other cgroups': { parts: ['files', 'user'], directories: ['/sys/fs/cgroup'] },
  'gain rights by setuid programs': { parts: ['new privileges'] },
  'have capabilities': { parts: ['capabilities'] },
  'keep open descriptors of the runtime': { parts: ['descriptors'] },
  'use the system call bpf': CALLED,
  'use the system call perf_event_open': CALLED,
  'use the system call userfaultfd': CALLED_AS_ROOT,
  'use the system call io_uring_setup': CALLED,
  'use the system call init_module': CALLED_AS_ROOT,
  'open files by handle': CALLED,
}
