import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_326
const USERS = IS_ROOT ? [undefined, ORDINARY_USER] : [undefined]
const SECRET = 'the secret of the machine'
const CAPTURES = 20
const RENAMEAT2 = process.arch === 'arm64' ? 276 : 316
const RENAME_EXCHANGE = 2
const PIDFD_OPEN = 434
const PIDFD_GETFD = 438

describe.each(
  USERS.map((user) => ({ user, name: user === undefined ? 'the own' : 'an ordinary' })),
)('hostile workloads on a runtime of $name user', ({ user }) => {
  let sandboxd: TestSandboxd
  let offered: readonly string[]
  beforeAll(async () => {
    sandboxd = await startSandboxd({ ...(user !== undefined && { user }) })
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    offered = isolationClasses.filter(({ reason }) => reason === '').map(({ name }) => name)
  })
  afterEach(() => sandboxd.clear())
  afterAll(() => sandboxd[Symbol.asyncDispose]())

  const start = async (isolationClass: string, script: string): Promise<RuntimeSandbox> => {
    const box = runtimeSandbox(() => sandboxd.connection)
    await box.start('one', '', {
      workload: { command: ['/bin/sh', '-c', script], isolationClass },
    })
    return box
  }

  it.for(['bubblewrap', 'process'])(
    'cannot report an impossible exit status that hides other sandboxes: %s',
    async (isolationClass, { skip }) => {
      if (!offered.includes(isolationClass)) return skip('the class is not offered')
      const box = await start(isolationClass, `exec perl -e '${FORGE_STATUS}'`)
      const { exitCode } = await box.reaches('Exited')
      expect([-1, 7]).toContain(exitCode)
      const instances = []
      for await (const { sandbox } of sandboxd.connection.runtime.listInstances({})) {
        instances.push(sandbox?.uid)
      }
      expect(instances).toContain(box.key.uid)
    },
  )

  it('cannot leave the wall by a snapshot with memory of the class process', async ({ skip }) => {
    if (!offered.includes('bubblewrap')) return skip('the class is not offered')
    const box = runtimeSandbox(() => sandboxd.connection)
    const started = box.start('one', '', {
      workload: { command: ['/bin/true'], isolationClass: 'bubblewrap' },
      restoreMetadata: { 'flotilla.dev/boot': 'RESUME', 'flotilla.dev/driver': 'process-criu' },
    })
    await expect(started).rejects.toThrow('its memory was taken in the class process')
  })

  it('cannot bring files of the machine into a snapshot', async ({ skip }) => {
    if (!offered.includes('bubblewrap')) return skip('the class is not offered')
    const directory = await mkdtemp(path.join(os.tmpdir(), 'machine-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const file = path.join(directory, 'file')
    await writeFile(file, SECRET, { mode: 0o600 })
    // Files of an ordinary user belong to the user of the runtime already.
    if (IS_ROOT) for (const each of [directory, file]) await chown(each, user ?? 0, user ?? 0)
    await chmod(directory, 0o700)
    const box = await start('bubblewrap', exchangeDirectories(directory))
    await expect.poll(() => box.logs()).toContain('ready')
    const { driver } = sandboxd.connection
    for (let attempt = 0; attempt < CAPTURES; attempt += 1) {
      const captured = driver.checkpoint({
        sandbox: box.key,
        podName: 'one',
        snapshotUid: `snapshot-${attempt}`,
        operationId: `capture-${attempt}`,
        fence: 1n,
        driver: 'process',
        leaveRunning: true,
        parameters: { store: 'local' },
      })
      // A capture fails if it notices a change.
      await captured.catch(() => undefined)
    }
    const archives = await archivesBelow(path.join(sandboxd.directory, 'snapshots'))
    expect(archives.length).toBeGreaterThan(0)
    for (const archive of archives) expect(archive.includes(SECRET)).toBe(false)
  })

  it('cannot lead mounts out of the sandbox by links', async ({ skip }) => {
    if (!offered.includes('bubblewrap')) return skip('the class is not offered')
    const directory = await mkdtemp(path.join(os.tmpdir(), 'machine-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    await chmod(directory, 0o777)
    const box = runtimeSandbox(() => sandboxd.connection)
    const run = (instanceId: string, script: string, volumes: readonly object[]) =>
      box.start(instanceId, '', {
        workload: {
          command: ['/bin/sh', '-c', script],
          isolationClass: 'bubblewrap',
          volumes: [...volumes],
        },
      })
    const data = { name: 'data', mountPath: '/data' }
    await run('one', `ln -s /oldroot${directory} /data/link`, [data])
    await box.reaches('Exited')
    const below = { name: 'below', mountPath: '/data/link/made' }
    await expect(run('two', 'true', [data, below])).rejects.toThrow('/data/link is a link')
    const process = { name: 'below', mountPath: `/proc/self/root/oldroot${directory}/made` }
    await expect(run('three', 'true', [process])).rejects.toThrow('the sandbox itself needs /proc')
    expect(await readdir(directory)).toEqual([])
    const nested = { name: 'below', mountPath: '/data/new/made' }
    await run('four', 'ls -d /data/new/made', [data, nested])
    expect(await box.reaches('Exited')).toMatchObject({ exitCode: 0 })
  })

  it.for(['/', '/usr', '/usr/bin', '/lib/x', '/etc', '/proc', '/run'])(
    'cannot replace the programs that start it: %s',
    async (mountPath, { skip }) => {
      if (!offered.includes('bubblewrap')) return skip('the class is not offered')
      const started = runtimeSandbox(() => sandboxd.connection).start('one', '', {
        workload: {
          command: ['/bin/true'],
          isolationClass: 'bubblewrap',
          volumes: [{ name: 'data', mountPath }],
        },
      })
      await expect(started).rejects.toThrow(`nothing can be mounted at ${mountPath}: `)
    },
  )

  it('cannot prevent the removal of its files', async ({ skip }) => {
    if (!offered.includes('bubblewrap')) return skip('the class is not offered')
    const nest = 'my $n = "d" x 200; for (1 .. 30) { mkdir $n or die; chdir $n or die }'
    // Names of files are bytes.
    const others = 'mkdir locked; touch locked/file "$(printf "\\377")"; chmod 0 locked'
    const box = await start('bubblewrap', `${others}; perl -e '${nest}' && echo done; sleep 60`)
    await expect.poll(() => box.logs()).toBe('done\n')
    const call = { sandbox: box.key, fence: 1n }
    await sandboxd.connection.runtime.terminate({ ...call, instanceId: 'one', operationId: 'end' })
    const workload = { command: ['/bin/ls', '-A'], isolationClass: 'bubblewrap' }
    await box.start('two', '', { workload, clean: true })
    await box.reaches('Exited')
    expect(await box.logs()).toBe('')
    await box.start('three', '', {
      workload: { ...workload, command: ['/bin/sh', '-c', `perl -e '${nest}'`] },
    })
    await box.reaches('Exited')
    await sandboxd.connection.runtime.remove({ ...call, operationId: 'remove' })
    const directories = await readdir(path.join(sandboxd.directory, 'sandboxes'))
    expect(directories).not.toContain(box.key.uid)
  })

  it('has a host name also if its own name is too long for one', async ({ skip }) => {
    if (!offered.includes('bubblewrap')) return skip('the class is not offered')
    const box = runtimeSandbox(() => sandboxd.connection, `${'x'.repeat(62)}.${'y'.repeat(100)}`)
    await box.start('one', '', {
      workload: { command: ['/bin/hostname'], isolationClass: 'bubblewrap' },
    })
    expect(await box.reaches('Exited')).toMatchObject({ exitCode: 0 })
    expect(await box.logs()).toBe(`${'x'.repeat(62)}\n`)
  })

  it('cannot seem active in the future', async () => {
    const box = await start(
      offered[0] ?? '',
      `perl -e 'utime 13e9, 13e9, "/proc/self/fd/1" or die'; echo yes >"$HOME/done"; sleep 1000`,
    )
    await expect.poll(() => box.exec('cat "$HOME/done"').then((each) => each.stdout)).toBe('yes\n')
    const { lastActivityUnixMs } = await box.get()
    expect(lastActivityUnixMs).toBeLessThanOrEqual(BigInt(Date.now()))
  })
})

/** Writes to the open files of the first process, which has the same user, then ends with 7. */
const FORGE_STATUS = `
my $init = syscall(${PIDFD_OPEN}, getppid, 0);
for my $number (3 .. 20) {
  my $file = syscall(${PIDFD_GETFD}, $init, $number, 0);
  next if $file < 0 || (readlink("/proc/self/fd/$file") // "") !~ /exit-status/;
  open(my $handle, ">>&=", $file) or next;
  print $handle "99999999999\\n";
}
exit 7
`

/** Exchanges a directory and a link with each other, outside the process group of the workload. */
function exchangeDirectories(target: string): string {
  const program =
    'my ($a, $b) = ("directory", "link"); ' +
    `while (1) { syscall(${RENAMEAT2}, -100, $a, -100, $b, ${RENAME_EXCHANGE}); ` +
    'select(undef, undef, undef, rand(0.02)) }'
  return (
    'mkdir directory many; i=0; while [ $i -lt 2000 ]; do : >many/$i; i=$((i+1)); done; ' +
    `printf '${SECRET.replaceAll(/./g, 'x')}' >directory/file; ln -s ${target} link; ` +
    `setsid perl -e '${program}' & echo ready; sleep 1000`
  )
}

async function archivesBelow(directory: string): Promise<readonly Buffer[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter(({ name }) => name.startsWith('files.tar'))
      .map(async ({ name, parentPath }) => {
        const file = path.join(parentPath, name)
        if (!name.endsWith('.zst')) return readFile(file)
        const { stdout } = await promisify(execFile)('zstd', ['-dc', file], {
          encoding: 'buffer',
          maxBuffer: 100_000_000,
        })
        return stdout
      }),
  )
}
