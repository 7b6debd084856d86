import { createServer } from 'node:net'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { socketPath } from '../../../src/drivers/runtime/socket-path.ts'
import { listen } from '../../../src/lib/listen.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'
import { attackCommand, attacksOn, type Targets } from './attacks.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_325
const USERS = IS_ROOT ? [undefined, ORDINARY_USER] : [undefined]
const SECRET = 'the-secret-of-the-drill'
const MIB = 1_048_576n

/** The attacks that succeed without a wall, which shows that they can. */
const KNOWN_TO_SUCCEED = [
  "read the machine's /tmp",
  'see processes of another sandbox',
  'use abstract sockets of the machine',
  'reach the API on localhost',
  "reach another sandbox's port on localhost",
]

/** A separate kernel may offer these: they do not reach the kernel of the machine. */
const OF_A_SEPARATE_KERNEL = [
  'create a user namespace',
  'open devices of network and file systems',
  'use the system call perf_event_open',
  'use the system call io_uring_setup',
  'open files by handle',
]

interface Scene {
  readonly sandboxd: TestSandboxd
  readonly attacker: RuntimeSandbox
  readonly victim: RuntimeSandbox
  /** Starts the attacker, which is not running. */
  readonly startAttacker: () => Promise<void>
  readonly targets: Targets
}

/** Runs attacks in a sandbox beside a victim, on a runtime with secrets. */
async function withScene(
  isolationClass: string,
  user: number | undefined,
  run: (scene: Scene) => Promise<void>,
): Promise<void> {
  await using sandboxd = await startSandboxd({
    env: { DRILL_SECRET: SECRET },
    ...(user !== undefined && { user }),
  })
  const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
  const offered = isolationClasses.find(({ name }) => name === isolationClass)
  if (offered?.reason !== '') throw new Unoffered(offered?.reason)
  const directory = await mkdtemp(path.join(os.tmpdir(), 'drill-'))
  await using server = createServer().on('connection', (socket) => socket.destroy())
  await using named = createServer().on('connection', (socket) => socket.destroy())
  try {
    await chmod(directory, 0o755)
    const abstractSocket = `drill-${process.pid}-${user ?? 'own'}`
    named.listen(`\0${abstractSocket}`)
    const temporaryFile = path.join(directory, 'public')
    await writeFile(temporaryFile, SECRET, { mode: 0o644 })
    const privateFile = path.join(sandboxd.directory, 'owner.json')
    const [attacker, victim] = ['attacker', 'victim'].map((name) =>
      runtimeSandbox(() => sandboxd.connection, name),
    )
    if (!attacker || !victim) throw new Error('two sandboxes')
    const victimPort = await freePort()
    const script = `echo ${SECRET} >secret; exec perl -e '${listening(victimPort)}' victim-marker`
    const started = await victim.start('one', '', {
      workload: { command: ['/bin/sh', '-c', script], isolationClass },
    })
    await expect.poll(() => victim.logs()).toBe('listens')
    let starts = 0
    const startAttacker = async (): Promise<void> => {
      await attacker.start(`start-${(starts += 1)}`, '', {
        workload: {
          command: ['/bin/sleep', '1000'],
          isolationClass,
          limits: { memoryBytes: 64n * MIB, maxProcesses: 50n, diskBytes: 20n * MIB },
        },
      })
    }
    await startAttacker()
    const workspace = path.join(sandboxd.directory, 'sandboxes', victim.key.uid, 'workspace')
    await run({
      sandboxd,
      attacker,
      victim,
      startAttacker,
      targets: {
        secret: SECRET,
        victimFile: path.join(workspace, 'secret'),
        victimPid: await workloadOf(Number(started.pid)),
        victimPort,
        privateFile,
        runtimePid: sandboxd.pid,
        runtimeSocket: socketPath(sandboxd.directory),
        machinePort: await listen(server, 0, '127.0.0.1'),
        abstractSocket,
        temporaryFile,
      },
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** A program in Perl that accepts connections at a port. */
function listening(port: number): string {
  return (
    'use Socket; $| = 1; socket(my $s, PF_INET, SOCK_STREAM, 0) or die $!; ' +
    `bind($s, sockaddr_in(${port}, inet_aton("127.0.0.1"))) or die $!; listen($s, 5) or die $!; ` +
    'print "listens"; while (1) { accept(my $c, $s); close $c }'
  )
}

/** The runtime does not offer the class. */
class Unoffered extends Error {}

async function freePort(): Promise<number> {
  await using server = createServer()
  // The server closes when the port is known.
  const port = await listen(server, 0, '127.0.0.1')
  return port
}

/** The child of the first process of an instance. */
async function workloadOf(init: number): Promise<number> {
  for (;;) {
    const text = await readFile(`/proc/${init}/task/${init}/children`, 'utf8')
    if (text.trim() !== '') return Number(text.trim().split(' ')[0])
    await sleep(10)
  }
}

/** The names of the attacks that succeed. */
async function escapes({ attacker, targets }: Scene): Promise<readonly string[]> {
  const found: string[] = []
  for (const attack of attacksOn(targets)) {
    const { stdout, stderr, exitCode } = await attacker.exec('', {
      command: [...attackCommand(attack)],
    })
    expect.soft(stderr, attack.name).not.toMatch(/syntax error|aborted due to/)
    expect.soft(exitCode, attack.name).not.toBeNull()
    if (stdout.includes('ESCAPED')) found.push(attack.name)
  }
  return found
}

describe.each(
  USERS.map((user) => ({ user, name: user === undefined ? 'the own' : 'an ordinary' })),
)('runtimes of $name user', ({ user }) => {
  it.for(['bubblewrap', 'gvisor'])('attacks on %s fail', async (isolationClass, { skip }) => {
    try {
      await withScene(isolationClass, user, async (scene) => {
        const allowed = isolationClass === 'gvisor' ? OF_A_SEPARATE_KERNEL : []
        const succeeded = await escapes(scene)
        expect(succeeded.filter((name) => !allowed.includes(name))).toEqual([])
        await exhaust(scene)
      })
    } catch (error) {
      if (error instanceof Unoffered) return skip(error.message)
      throw error
    }
  })

  it('the same attacks on a process find the machine', async () => {
    await withScene('process', user, async (scene) => {
      expect(await escapes(scene)).toEqual(expect.arrayContaining(KNOWN_TO_SUCCEED))
    })
  })
})

/** Bombs: the attacker is stopped or ended, and the victim continues. */
async function exhaust({ attacker, victim, startAttacker }: Scene): Promise<void> {
  const fork = await attacker.exec('bomb() { bomb | bomb & }; bomb; sleep 1; echo survived')
  if (!/survived|fork/i.test(fork.stdout + fork.stderr)) {
    // A separate kernel ends when the limits of its sandbox are reached.
    await attacker.reaches('Exited')
    await startAttacker()
  }
  const memory = await attacker.exec(`perl -e 'my $m = "x" x 300_000_000; print length $m'`)
  expect(memory.stdout).not.toContain('300000000')
  await attacker.exec('head -c 60000000 /dev/zero >disk').catch(() => undefined)
  await attacker.reaches('Exited')
  expect((await victim.exec('cat secret')).stdout).toContain(SECRET)
}
