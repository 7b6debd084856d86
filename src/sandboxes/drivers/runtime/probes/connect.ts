import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { Duplex } from 'node:stream'
import { SYSTEM_ENVIRONMENT } from '../machine/spawn-detached.ts'

/**
 * Connects to a port on the loopback address of a sandbox's network. The stream ends when the signal
 * is aborted. Rejects without a connection.
 */
export type Connect = (port: number, signal: AbortSignal) => Promise<Duplex>

const LOOPBACK = '127.0.0.1'

/** Connects in the machine's network. */
export const connectInMachine: Connect = async (port, signal) => {
  const socket = net.connect({ host: LOOPBACK, port, signal })
  try {
    await once(socket, 'connect', { signal })
  } catch (error) {
    throw new Error('connection refused', { cause: error })
  }
  return socket
}

/**
 * Connects, writes a byte, then copies between the connection and the standard streams. Perl's core
 * needs no module for it. Sizes of `struct sockaddr_in`: family, port, address, padding.
 */
const RELAY = `
my $port = shift;
socket(my $peer, 2, 1, 0) or die;
connect($peer, pack('S n C4 x8', 2, $port, 127, 0, 0, 1)) or do { print STDERR lc $!; exit 1 };
sub copy { my ($to, $data) = @_; while (length $data) {
  my $done = syswrite($to, $data); defined $done or exit; substr($data, 0, $done) = '' } }
copy(\\*STDOUT, '+');
my %to = (fileno(STDIN) => $peer, fileno($peer) => \\*STDOUT);
my %from = (fileno(STDIN) => \\*STDIN, fileno($peer) => $peer);
while (1) {
  my $ready = ''; vec($ready, $_, 1) = 1 for keys %from;
  select($ready, undef, undef, undef);
  for my $number (grep { vec($ready, $_, 1) } keys %from) {
    if (sysread($from{$number}, my $data, 65536)) { copy($to{$number}, $data); next }
    exit if $number == fileno($peer);
    delete $from{$number}; shutdown($peer, 1);
  }
}
`

/** A command in the network of a sandbox. */
export interface Entry {
  readonly command: readonly string[]
  /** Cleans up after its end. */
  readonly end?: () => Promise<void>
}

/** Connects with a program of Perl, which `enter` starts in the network of a sandbox. */
export function connectThrough(
  perl: readonly string[],
  enter: (relay: readonly string[]) => Entry,
): Connect {
  return async (port, signal) => {
    const { command, end } = enter([...perl, '-e', RELAY, `${port}`])
    const [program = '', ...parameters] = command
    const child = spawn(program, parameters, {
      cwd: '/',
      env: SYSTEM_ENVIRONMENT,
      signal,
      killSignal: 'SIGKILL',
    })
    let problem = ''
    child.on('error', ({ message }) => (problem ||= message))
    // Commands that cannot be ended any more do not concern the check.
    child.once('close', () => void end?.().catch(() => undefined))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (problem += text))
    const closed = new Promise((resolve) => child.once('close', resolve))
    await Promise.race([closed, new Promise((resolve) => child.stdout.once('readable', resolve))])
    if (child.stdout.read(1) === null) {
      await closed
      throw new Error(problem.trim() || 'no connection')
    }
    const stream = Duplex.from({ readable: child.stdout, writable: child.stdin })
    stream.once('close', () => child.kill('SIGKILL'))
    // It reports its own destruction as an error. Users listen for others.
    stream.on('error', () => undefined)
    return stream
  }
}
