/** The places and processes that attacks try to reach. */
export interface Targets {
  /** A file of another sandbox, as the machine sees it. */
  readonly victimFile: string
  /** A process of another sandbox, by the pids of the machine. */
  readonly victimPid: number
  /** A port on which another sandbox listens at 127.0.0.1. */
  readonly victimPort: number
  /** A file that only the runtime's user may read. */
  readonly privateFile: string
  /** The content of both files. */
  readonly secret: string
  /** The process of the runtime, whose environment contains the secret. */
  readonly runtimePid: number
  readonly runtimeSocket: string
  /** A port of the machine at 127.0.0.1, such as that of the API. */
  readonly machinePort: number
  /** The name of an abstract socket of the machine. */
  readonly abstractSocket: string
  /** A file in the machine's directory for temporary files, readable for all. */
  readonly temporaryFile: string
}

/** The boundary that an attack tries to cross. */
export type Boundary = 'files' | 'processes' | 'network' | 'kernel' | 'rights'

/** An attempt to escape: a program in Perl, which is part of every Debian. */
export interface Attack {
  readonly name: string
  readonly boundary: Boundary
  /** Prints a line with `ESCAPED` if the wall did not hold. */
  readonly program: string
}

/** Numbers of system calls: x86-64, arm64. */
const NUMBERS = {
  ptrace: [101, 117],
  kill: [62, 129],
  unshare: [272, 97],
  mount: [165, 40],
  add_key: [248, 217],
  clock_adjtime: [305, 266],
  sethostname: [170, 161],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  open_by_handle_at: [304, 265],
  init_module: [175, 105],
  mknodat: [259, 33],
  process_vm_readv: [310, 270],
  pidfd_open: [434, 434],
} as const

/** The number of a system call on this machine. */
function number(name: keyof typeof NUMBERS): number {
  return NUMBERS[name][process.arch === 'arm64' ? 1 : 0]
}

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

/** Prints ESCAPED if the file can be read and contains the secret. */
const readSecret = (file: string, { secret }: Targets): string =>
  `if (open(my $f, '<', ${quoted(file)})) { local $/; my $t = <$f>; ` +
  `print "ESCAPED\\n" if index($t, ${quoted(secret)}) >= 0 }`

/** Prints ESCAPED if a connection to the port succeeds. */
const connect = (port: number): string =>
  `use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0) or exit; ` +
  `print "ESCAPED\\n" if connect($s, sockaddr_in(${port}, inet_aton('127.0.0.1')))`

/**
 * Prints ESCAPED if a socket accepts a connection. A leading NUL means an abstract name, which some
 * programs extend with NULs to the size of the address.
 */
const connectUnix = (...addresses: readonly string[]): string =>
  `use Socket; for my $a (${addresses.join(', ')}) { socket(my $s, PF_UNIX, SOCK_STREAM, 0); ` +
  `print "ESCAPED\\n" if connect($s, pack('S a*', AF_UNIX, $a)) }`

/** Prints ESCAPED if the system call succeeds. */
const call = (name: keyof typeof NUMBERS, ...parameters: readonly (number | string)[]): string =>
  `my $r = syscall(${[number(name), ...parameters].join(', ')}); print "ESCAPED\\n" if $r >= 0`

/** Prints ESCAPED if the kernel offers the system call at all: it must answer ENOSYS or EPERM. */
const isOffered = (name: keyof typeof NUMBERS, ...parameters: readonly number[]): string =>
  `my $r = syscall(${[number(name), ...parameters].join(', ')}); ` +
  'print "ESCAPED $!\\n" unless $r == -1 && ($!{ENOSYS} || $!{EPERM} || $!{EACCES})'

const NEW_USER_NAMESPACE = 0x10000000
const PTRACE_ATTACH = 16
const TIMEX_BYTES = 208
const ADJUST_TICK = 0x4000
const NUMBER_OF_KEYRING = -2

/** Devices of networks and file systems, which some machines lack. */
export const DEVICES = ['/dev/net/tun', '/dev/fuse'] as const

/** All attacks that leave no trace on the machine, also if they succeed. */
export function attacksOn(targets: Targets): readonly Attack[] {
  const { runtimePid, victimPid } = targets
  return [
    {
      name: 'read files of another sandbox',
      boundary: 'files',
      program: readSecret(targets.victimFile, targets),
    },
    {
      name: 'read private files of the runtime',
      boundary: 'files',
      program: readSecret(targets.privateFile, targets),
    },
    {
      name: "read the machine's /tmp",
      boundary: 'files',
      program: readSecret(targets.temporaryFile, targets),
    },
    {
      name: "read the runtime's environment",
      boundary: 'processes',
      program: readSecret(`/proc/${runtimePid}/environ`, targets),
    },
    {
      name: 'read another file system by /proc/*/root',
      boundary: 'files',
      program: `for my $p (glob('/proc/[0-9]*/root')) { ${readSecret('X', targets).replace(
        "'X'",
        `"$p" . ${quoted(targets.victimFile)}`,
      )} }`,
    },
    {
      name: 'see processes of another sandbox',
      boundary: 'processes',
      program:
        `for my $p (glob('/proc/[0-9]*/cmdline')) { open(my $f, '<', $p) or next; ` +
        `local $/; my $t = <$f> // ''; print "ESCAPED\\n" if $t =~ /victim-[m]arker/ }`,
    },
    {
      name: 'signal processes of another sandbox',
      boundary: 'processes',
      program: `print "ESCAPED\\n" if kill(0, ${victimPid}) && -e '/proc/${victimPid}/cmdline' && do { open(my $f, '<', '/proc/${victimPid}/cmdline'); local $/; (<$f> // '') =~ /victim-[m]arker/ }`,
    },
    {
      name: 'trace processes of another sandbox',
      boundary: 'processes',
      program:
        call('ptrace', PTRACE_ATTACH, victimPid, 0, 0) +
        ` && do { open(my $f, '<', '/proc/${victimPid}/cmdline'); local $/; (<$f> // '') =~ /victim-[m]arker/ }`,
    },
    {
      name: 'read the memory of processes of another sandbox',
      boundary: 'processes',
      program:
        `open(my $m, '<', '/proc/${victimPid}/maps') or exit; open(my $f, '<', '/proc/${victimPid}/mem') or exit; ` +
        'for (grep { /stack/ } <$m>) { my ($from, $to) = map { hex } /^([0-9a-f]+)-([0-9a-f]+)/; ' +
        'sysseek($f, $from, 0); sysread($f, my $t, $to - $from); print "ESCAPED\\n" if ($t // "") =~ /victim-[m]arker/ }',
    },
    {
      name: 'signal the runtime',
      boundary: 'processes',
      program:
        `print "ESCAPED\\n" if kill(0, ${runtimePid}) && ` +
        `do { open(my $f, '<', '/proc/${runtimePid}/cmdline'); local $/; (<$f> // '') =~ /sandboxd/ }`,
    },
    {
      name: "use the runtime's socket",
      boundary: 'files',
      program: connectUnix(quoted(targets.runtimeSocket)),
    },
    {
      name: 'use abstract sockets of the machine',
      boundary: 'network',
      program: connectUnix(
        `"\\0" . ${quoted(targets.abstractSocket)}`,
        `pack("a108", "\\0" . ${quoted(targets.abstractSocket)})`,
      ),
    },
    {
      name: 'reach the API on localhost',
      boundary: 'network',
      program: connect(targets.machinePort),
    },
    {
      name: "reach another sandbox's port on localhost",
      boundary: 'network',
      program: connect(targets.victimPort),
    },
    {
      name: 'create a user namespace',
      boundary: 'kernel',
      program: call('unshare', NEW_USER_NAMESPACE),
    },
    {
      name: 'mount a file system',
      boundary: 'kernel',
      program: `my ($t, $d) = ("tmpfs", "/tmp"); ${call('mount', '$t', '$d', '$t', 0, 0)}`,
    },
    {
      name: "add keys to the user's keyring",
      boundary: 'kernel',
      program: `my ($t, $d, $p) = ("user", "flotilla", "x"); ${call('add_key', '$t', '$d', '$p', 1, NUMBER_OF_KEYRING)}`,
    },
    // The clock gets the rate that it has, so that a success changes nothing.
    {
      name: 'change the clock',
      boundary: 'kernel',
      program:
        `my $t = "\\0" x ${TIMEX_BYTES}; syscall(${number('clock_adjtime')}, 0, $t) >= 0 or exit; ` +
        `substr($t, 0, 4) = pack('L', ${ADJUST_TICK}); ${call('clock_adjtime', 0, '$t')}`,
    },
    {
      name: "set the machine's name",
      boundary: 'kernel',
      program: `use Sys::Hostname; my $n = hostname(); ${call('sethostname', '$n', 'length($n)')}`,
    },
    {
      name: 'create a device',
      boundary: 'rights',
      program: `my $p = "device-" . $$; ${call('mknodat', -100, '$p', 0o020_666, 0x10b)}`,
    },
    {
      name: 'open devices of the machine',
      boundary: 'rights',
      program:
        "for my $d ('/dev/mem', '/dev/kmsg', '/dev/kvm', glob('/dev/[sv]d[a-z]*'), glob('/dev/nvme*'), glob('/dev/loop*'), '/dev/loop-control') " +
        '{ print "ESCAPED $d\\n" if open(my $f, \'<\', $d) }',
    },
    {
      name: 'open devices of network and file systems',
      boundary: 'kernel',
      program:
        `for my $d (${DEVICES.map(quoted).join(', ')}) ` +
        '{ print "ESCAPED $d\\n" if open(my $f, \'<\', $d) }',
    },
    {
      name: "change the system's files",
      boundary: 'rights',
      program:
        "for my $p ('/usr/x', '/etc/x', '/usr/bin/x', '/lib/x') { if (open(my $f, '>', $p)) { print \"ESCAPED $p\\n\"; close $f; unlink $p } }",
    },
    {
      name: "change the kernel's settings",
      boundary: 'rights',
      program:
        "for my $p ('/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/sys/vm/overcommit_memory', '/sys/kernel/uevent_helper') " +
        '{ print "ESCAPED $p\\n" if open(my $f, \'>>\', $p) }',
    },
    {
      name: 'join other cgroups',
      boundary: 'rights',
      program:
        'for my $p (glob("/sys/fs/cgroup/*/cgroup.procs"), "/sys/fs/cgroup/cgroup.procs") ' +
        '{ print "ESCAPED $p\\n" if open(my $f, \'>\', $p) }',
    },
    {
      name: 'gain rights by setuid programs',
      boundary: 'rights',
      program:
        "open(my $f, '<', '/proc/self/status'); for (<$f>) { print \"ESCAPED $_\" if /^NoNewPrivs:\\s*0/ }",
    },
    {
      name: 'have capabilities',
      boundary: 'rights',
      program:
        "open(my $f, '<', '/proc/self/status'); for (<$f>) { print \"ESCAPED $_\" if /^Cap(Prm|Eff|Amb):\\s*0*[1-9a-f]/ }",
    },
    {
      name: 'keep open descriptors of the runtime',
      boundary: 'rights',
      program:
        'opendir(my $d, \'/proc/self/fd\'); for (grep { /^\\d+$/ && $_ > 2 } readdir $d) { my $t = readlink("/proc/self/fd/$_") // next; print "ESCAPED $t\\n" unless $t =~ m{^/proc/|^(socket|pipe|anon_inode):} || $t =~ m{/workspace} }',
    },
    ...(['bpf', 'perf_event_open', 'userfaultfd', 'io_uring_setup', 'init_module'] as const).map(
      (name): Attack => ({
        name: `use the system call ${name}`,
        boundary: 'kernel',
        program: isOffered(name, 0, 0, 0, 0, 0),
      }),
    ),
    {
      name: 'open files by handle',
      boundary: 'kernel',
      program: isOffered('open_by_handle_at', -1, 0, 0),
    },
  ]
}

/** The command that runs an attack. Its output has {@link ENDED} unless it could not run. */
export function attackCommand({ program }: Attack): readonly string[] {
  return ['/usr/bin/perl', '-MErrno', '-e', `END { print "${ENDED}\\n" } ${program}`]
}

export const ENDED = 'the attack has ended'
