import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_326
const USERS = IS_ROOT ? [undefined, ORDINARY_USER] : [undefined]
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
    await expect(started).rejects.toThrow('its memory was taken without a wall')
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
