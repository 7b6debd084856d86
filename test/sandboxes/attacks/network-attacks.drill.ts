import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { networkTestProblem, startMachine } from '../network/simulated-machine.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd } from '../support/start-sandboxd.ts'
import { type Attack, attackCommand, ENDED } from './attacks.ts'
import { ATTACK_ON_THE_API, ATTACKS_WITHOUT_NETWORK, attacksOnNetworks } from './network-attacks.ts'
import { ATTACK_RESULTS, PERMITTED_ATTACKS } from './results.ts'

const ORDINARY_USER = 54_325
const VICTIM_PORT = 7000
const TUN_FOR_ALL = 0o666
const LISTEN =
  'use Socket; $| = 1; socket(my $s, PF_INET, SOCK_STREAM, 0) or die $!; ' +
  `bind($s, sockaddr_in(${VICTIM_PORT}, INADDR_ANY)) or die $!; listen($s, 5) or die $!; ` +
  'print "listens"; while (1) { accept(my $c, $s); close $c }'
/** A router's addresses exist only inside it: from the machine, connections wait for minutes. */
const ROUTER_ATTACKS = ['reach the router of the runtime', ATTACK_ON_THE_API.name]

const problem = networkTestProblem(['bwrap'])

interface Attackers {
  /** Why the runtime does not offer the class; empty if it does. */
  readonly reason: string
  readonly address: string
  /** With the policy Internet, and with None. */
  readonly open: RuntimeSandbox
  readonly closed: RuntimeSandbox
  /** With access to the API, and no other network. */
  readonly permitted: RuntimeSandbox
}

/** Runs attacks on a simulated machine, whose networks exist only inside namespaces. */
async function withAttackers(
  isolationClass: string,
  user: number | undefined,
  run: (attackers: Attackers) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'machine-'))
  try {
    await using machine = await startMachine(directory, { tunMode: TUN_FOR_ALL })
    await using sandboxd = await startSandboxd({
      enter: machine.enter,
      ...(user !== undefined && { user }),
    })
    const box = (name: string) => runtimeSandbox(() => sandboxd.connection, name)
    const [victim, open, closed] = [box('victim'), box('open'), box('closed')]
    const permitted = box('permitted')
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    const { reason = '' } = isolationClasses.find(({ name }) => name === isolationClass) ?? {}
    if (reason !== '') return await run({ reason, address: '', open, closed, permitted })
    const { address } = await victim.start('one', '', {
      workload: { command: ['/usr/bin/perl', '-e', LISTEN], isolationClass },
    })
    await expect.poll(() => victim.logs()).toBe('listens')
    const workload = { command: ['/bin/sleep', '1000'], isolationClass }
    const policy = (mode: string) =>
      isolationClass === 'process' ? {} : { networkPolicy: { mode } }
    const none = policy('None')
    await open.start('one', '', { workload: { ...workload, ...policy('Internet') } })
    await closed.start('one', '', { workload: { ...workload, ...none } })
    if (isolationClass !== 'process') {
      await permitted.start('one', '', {
        workload: { ...workload, ...none, apiAccess: { token: 'token' } },
      })
    }
    await run({ reason, address, open, closed, permitted })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** The names of the attacks that succeed. They run together, because some wait for an answer. */
async function escapes(box: RuntimeSandbox, attacks: readonly Attack[]) {
  const outputs = await Promise.all(
    attacks.map((attack) => box.exec('', { command: [...attackCommand(attack)] })),
  )
  const found: string[] = []
  for (const [index, { name }] of attacks.entries()) {
    const { stdout = '', stderr } = outputs[index] ?? {}
    expect.soft(stderr, name).toBe('')
    expect.soft(stdout, name).toContain(ENDED)
    if (stdout.includes('ESCAPED')) found.push(name)
  }
  return found
}

const namesOf = (attacks: readonly Attack[]): readonly string[] => attacks.map(({ name }) => name)

describe.skipIf(problem !== null)(`networks${problem === null ? '' : `: ${problem}`}`, () => {
  it.for(ATTACK_RESULTS)(
    'attacks on $isolationClass of $user succeed as the page says',
    async ({ isolationClass, user, succeed }, { skip }) => {
      const account = user === 'root' ? undefined : ORDINARY_USER
      await withAttackers(isolationClass, account, async (attackers) => {
        const { reason, address, open, closed, permitted } = attackers
        if (reason !== '') return skip(reason)
        const all = [
          ...attacksOnNetworks(address, VICTIM_PORT),
          ATTACK_ON_THE_API,
          ...ATTACKS_WITHOUT_NETWORK,
        ]
        const attacks = isolationClass === 'process' ? all.filter(isPossible) : all
        const expected = namesOf(attacks).filter((name) => succeed.includes(name))
        if (isolationClass === 'process') {
          return expect(await escapes(closed, attacks)).toEqual(expected)
        }
        expect({
          None: await escapes(closed, attacks),
          Internet: await escapes(open, attacks),
          'None, and access to the API': await escapes(permitted, attacks),
        }).toEqual({ ...PERMITTED_ATTACKS, None: expected })
      })
    },
  )
})

function isPossible({ name }: Attack): boolean {
  return !ROUTER_ATTACKS.includes(name)
}
