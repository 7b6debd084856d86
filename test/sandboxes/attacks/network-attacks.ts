import { BLOCKED, MACHINE, NAME_SERVER, PUBLIC } from '../network/simulated-machine.ts'
import type { Attack } from './attacks.ts'

/** Addresses of the router of a runtime: its own, that of slirp4netns, and the resolver. */
const ROUTER = ['100.64.0.1', '100.64.0.2', '100.64.0.3']
const RESOLVER = '100.64.0.3'
const HTTP = 80
/** Those of servers, databases and metrics. */
const PORTS = [5432, 8000, 9090]

/** Prints ESCAPED if one of the addresses accepts a connection. */
function connect(addresses: readonly string[], ports: readonly number[] = [HTTP]): string {
  return (
    `use Socket; for my $a (qw(${addresses.join(' ')})) { for my $p (qw(${ports.join(' ')})) { ` +
    'socket(my $s, PF_INET, SOCK_STREAM, 0) or exit; my $i = inet_aton($a) or next; ' +
    'print "ESCAPED $a\\n" if connect($s, sockaddr_in($p, $i)) } }'
  )
}

/** Prints ESCAPED if one of the addresses answers a question for a name. */
function resolve(addresses: readonly string[]): string {
  const question = String.raw`pack('n6', 7, 0x100, 1, 0, 0, 0) . "\x05other\x04test\0" . pack('n2', 1, 1)`
  return (
    `use Socket; for my $a (qw(${addresses.join(' ')})) { socket(my $s, PF_INET, SOCK_DGRAM, 0) ` +
    'or exit; connect($s, sockaddr_in(53, inet_aton($a))) or next; ' +
    `send($s, ${question}, 0) or next; my $r = ''; vec($r, fileno($s), 1) = 1; ` +
    'select($r, undef, undef, 2) > 0 or next; recv($s, my $t, 512, 0) // next; ' +
    'print "ESCAPED $a\\n" if length $t }'
  )
}

/** Attempts to reach what no network policy permits. `victim` is the address of another sandbox. */
export function attacksOnNetworks(victim: string, victimPort: number): readonly Attack[] {
  return [
    { name: 'reach the machine by its address', boundary: 'network', program: connect([MACHINE]) },
    {
      name: 'reach private networks and metadata services',
      boundary: 'network',
      program: connect(BLOCKED),
    },
    {
      name: 'reach a private network by a public name',
      boundary: 'network',
      program: connect(['inside.test']),
    },
    {
      name: 'reach the router of the runtime',
      boundary: 'network',
      program: `${connect(ROUTER)} ${connect(['100.64.0.1'], PORTS)}`,
    },
    {
      name: 'reach other ports of the machine than the API',
      boundary: 'network',
      program: connect([MACHINE], [HTTP, ...PORTS]),
    },
    {
      name: "reach another sandbox's address",
      boundary: 'network',
      program: connect([victim], [victimPort]),
    },
  ]
}

/** An attempt of a sandbox without access to the API. */
export const ATTACK_ON_THE_API: Attack = {
  name: 'reach the API without permission',
  boundary: 'network',
  program: connect(['100.64.0.1'], [443]),
}

/** Attempts of a sandbox that may connect to nothing. */
export const ATTACKS_WITHOUT_NETWORK: readonly Attack[] = [
  {
    name: 'reach a public address without permission',
    boundary: 'network',
    program: connect([PUBLIC]),
  },
  {
    name: 'send data in questions for names',
    boundary: 'network',
    program: resolve([NAME_SERVER, RESOLVER, MACHINE]),
  },
]
