import { createServer } from 'node:net'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { socketPath } from '../../../src/sandboxes/drivers/runtime/socket-path.ts'
import { listen } from '../../../src/lib/listen.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'
import type { Targets } from './attacks.ts'

const SECRET = 'the-secret-of-the-drill'
const MIB = 1_048_576n

/** A sandbox for attacks beside a victim, on a runtime with secrets. */
export interface Scene {
  readonly sandboxd: TestSandboxd
  readonly attacker: RuntimeSandbox
  readonly victim: RuntimeSandbox
  /** Starts the attacker, which is not running. */
  readonly startAttacker: () => Promise<void>
  readonly targets: Targets
}

type Skip = (reason?: string) => void

/** Runs attacks in a sandbox beside a victim, on a runtime with secrets. */
export async function withScene(
  isolationClass: string,
  user: number | undefined,
  { run, skip }: { readonly run: (scene: Scene) => Promise<void>; readonly skip: Skip },
): Promise<void> {
  await using sandboxd = await startSandboxd({
    env: { DRILL_SECRET: SECRET },
    ...(user !== undefined && { user }),
  })
  const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
  const offered = isolationClasses.find(({ name }) => name === isolationClass)
  if (offered?.reason !== '') return skip(offered?.reason)
  const directory = await mkdtemp(path.join(os.tmpdir(), 'drill-'))
  await using server = createServer().on('connection', (socket) => socket.destroy())
  await using named = createServer().on('connection', (socket) => socket.destroy())
  try {
    await chmod(directory, 0o755)
    const abstractSocket = `drill-${process.pid}-${user ?? 'own'}`
    named.listen(`\0${abstractSocket}`)
    const temporaryFile = path.join(directory, 'public')
    await writeFile(temporaryFile, SECRET, { mode: 0o644 })
    const privateFile = path.join(sandboxd.directory, 'secret-of-the-drill')
    await writeFile(privateFile, SECRET, { mode: 0o600 })
    if (user !== undefined) await chown(privateFile, user, user)
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
