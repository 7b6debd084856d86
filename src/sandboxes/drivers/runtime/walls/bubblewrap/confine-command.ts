const SH = '/bin/sh'

/**
 * Opens the pid file as descriptor 4, the filter as 5, and another file as 6, before the user
 * changes. bwrap writes its description of the instance to 4, which contains the pid. The first
 * process writes `ready` to 6: a volume can replace its program, which must not choose the pid.
 * Descriptor 3 of the shim, for the status, is closed.
 */
const OPEN = 'pid=$1 filter=$2; shift 2; exec "$@" 3>&- 4>"$pid" 5<"$filter" 6>"$pid.ready"'
const OPEN_FILTER = 'filter=$1; shift; exec "$@" 5<"$filter"'

interface OpenedFiles {
  /** Null for a command beside a workload. */
  readonly pidFile: string | null
  readonly filterFile: string
}

/** Runs the following command with the files as descriptors. */
export function openFiles({ pidFile, filterFile }: OpenedFiles): readonly string[] {
  return pidFile === null
    ? [SH, '-c', OPEN_FILTER, 'open', filterFile]
    : [SH, '-c', OPEN, 'open', pidFile, filterFile]
}

const SYSTEM_CALLS = {
  x64: { prctl: 157, seccomp: 317, setns: 308 },
  arm64: { prctl: 167, seccomp: 277, setns: 268 },
} as const

/**
 * Gives up all ways to gain privileges, and applies the filter of descriptor 5. No program of
 * util-linux does so, and Perl is part of every Debian. Sizes of `struct sock_fprog`: a count of 16
 * bits, padding, a pointer.
 */
const CONFINE = `
my ($prctl, $seccomp) = splice @ARGV, 0, 2;
open my $file, '<&=5' or die "descriptor 5: $!"; binmode $file;
my $filter = do { local $/; <$file> };
close $file;
syscall($prctl + 0, 38, 1, 0, 0, 0) == 0 or die "PR_SET_NO_NEW_PRIVS: $!";
my $program = pack 'S x6 P', length($filter) / 8, $filter;
syscall($seccomp + 0, 1, 0, $program) == 0 or die "SECCOMP_SET_MODE_FILTER: $!";
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!";
`

/** Runs the following command under the filter of descriptor 5, without new privileges. */
export function confineCommand(perl: string): readonly string[] {
  const { prctl, seccomp } = systemCalls()
  return [perl, '-e', CONFINE, String(prctl), String(seccomp)]
}

/** How a command enters the namespaces of an instance. */
interface Entry {
  readonly nsenter: string
  readonly perl: string
  readonly pid: number
  /** Whether its user is 0 inside. */
  readonly isRootInside: boolean
  readonly entersNetwork: boolean
}

/**
 * Runs the following command in the namespaces of an instance. A process has all capabilities in the
 * user namespace that it enters, and loses them when it runs a program, unless its user is 0 there.
 */
export function enterInstance(entry: Entry): readonly string[] {
  const { nsenter, perl, pid, isRootInside, entersNetwork } = entry
  if (isRootInside) {
    const { prctl, setns } = systemCalls()
    const names = ['user', 'ipc', 'uts', 'pid', 'mnt', ...(entersNetwork ? ['net'] : [])]
    return [perl, '-e', ENTER_AS_ROOT, `${prctl}`, `${setns}`, `${pid}`, ...names, '--']
  }
  const network = entersNetwork ? ['--net'] : []
  return [nsenter, `--target=${pid}`, ...ENTERED, ...network, '--']
}

const ENTERED = ['--user', '--preserve-credentials', '--mount', '--pid', '--ipc', '--uts']

/**
 * nsenter keeps the bounding set, with which programs of the user 0 get all capabilities. So this
 * process empties the set between its entry and the first program of the sandbox.
 */
const ENTER_AS_ROOT = `
my ($prctl, $setns, $pid) = splice @ARGV, 0, 3;
my @namespaces;
while ((my $name = shift) ne '--') {
  open my $file, '<', "/proc/$pid/ns/$name" or die "$name: $!";
  push @namespaces, $file;
}
for (@namespaces) { syscall($setns + 0, fileno $_, 0) == 0 or die "setns: $!" }
for (my $each = 0; syscall($prctl + 0, 23, $each, 0, 0, 0) >= 0; $each++) {
  syscall($prctl + 0, 24, $each, 0, 0, 0) == 0 or die "PR_CAPBSET_DROP: $!";
}
my $child = fork;
defined $child or die "fork: $!";
if ($child == 0) { exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!" }
waitpid $child, 0;
my $signal = $? & 127;
my $code = $? >> 8;
kill $signal, $$ if $signal;
exit($signal ? 128 + $signal : $code);
`

function systemCalls() {
  return process.arch === 'arm64' ? SYSTEM_CALLS.arm64 : SYSTEM_CALLS.x64
}
