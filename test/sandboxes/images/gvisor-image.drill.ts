import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { eventually, memorySandbox } from '../support/memory-sandbox.ts'
import { startSandboxd } from '../support/start-sandboxd.ts'
import { imagesCommand } from './command.ts'
import { writeMinimalRoot, writeRootWithoutShell } from './minimal-root.ts'
import { execProgram, useShelllessSandbox } from './shellless-sandbox.ts'
import { writeLayout } from './write-layout.ts'

const sandboxd = await startSandboxd()
const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
const offered = isolationClasses.find(({ name }) => name === 'gvisor')
const reason = offered?.reason ?? 'unknown'
const GVISOR = { driver: 'gvisor', isolationClass: 'gvisor' }

afterEach(() => sandboxd.clear())
afterAll(() => sandboxd[Symbol.asyncDispose]())

async function register(name: string, write = writeMinimalRoot): Promise<string> {
  return withSource(async (source) => {
    await write(source, name)
    return addImage(name, source)
  })
}

/** Registers an image whose configuration has a user. */
function registerWithUser(name: string, user: string): Promise<string> {
  return withSource(async (source) => {
    const root = path.join(source, 'root')
    await writeMinimalRoot(root)
    return addImage(name, await writeLayout(path.join(source, 'layout'), root, { User: user }))
  })
}

async function withSource(add: (source: string) => Promise<string>): Promise<string> {
  const source = await mkdtemp(path.join(os.tmpdir(), 'image-'))
  try {
    return await add(source)
  } finally {
    await rm(source, { recursive: true })
  }
}

async function addImage(name: string, source: string): Promise<string> {
  const { output } = await imagesCommand(sandboxd, 'add', name, source)
  return /sha256:[0-9a-f]{64}/.exec(output)?.[0] ?? output
}

describe.skipIf(reason !== '')(`gvisor with images (${reason})`, () => {
  it('sees the files of the image, with volumes at paths that it has and at new ones', async () => {
    const image = await register('files')
    const volumes = ['/opt', '/var/lib/data', '/new/place'].map((mountPath, index) => ({
      name: `v${index}`,
      mountPath,
    }))
    const { box, run } = memorySandbox(sandboxd, {
      ...GVISOR,
      image: () => image,
      volumes: () => volumes,
    })
    await run([
      '/bin/sh',
      '-c',
      'for d in /opt /var/lib/data /new/place /tmp .; do touch $d/x; done; sleep 100',
    ])
    const script =
      'cat /etc/passwd; touch /etc/new 2>/dev/null || echo read-only; cat /opt/marker 2>/dev/null; pwd'
    const { stdout } = await box.exec(script)
    expect(stdout).toMatch(/^sandbox:x:.*\napp:x:1000:.*\nread-only\n\/workspace\n$/)
    const found = await eventually(async () => {
      const command = 'cat /opt/x /var/lib/data/x /new/place/x /tmp/x x && echo all'
      return (await box.exec(command)).stdout || null
    })
    expect(found).toBe('all\n')
  })

  it('runs programs of an image without a shell, and continues from their memory', async () => {
    const image = await register('shellless', writeRootWithoutShell)
    await useShelllessSandbox(sandboxd, image, 'gvisor')
    const sandbox = memorySandbox(sandboxd, { ...GVISOR, image: () => image })
    const script =
      'my $n = 0; while (1) { open my $f, ">", "count"; print $f ++$n; close $f; sleep 1 }'
    await sandbox.run(['/app/perl', '-e', script])
    /** The count once it is large enough. The file is empty while the program writes it. */
    const countFrom = (least: number) =>
      eventually(async () => {
        const text = await execProgram(sandboxd, sandbox.box, ['/app/cat', 'count'])
        const count = Number(/^([0-9]+)exit 0$/.exec(text)?.[1])
        return count >= least ? count : null
      })
    const before = await countFrom(3)
    const snapshot = await sandbox.checkpoint()
    await sandbox.terminate()
    expect(await sandbox.resume(snapshot)).toBe('RESUME')
    expect(await countFrom(before + 1)).toBeGreaterThan(before)
    const later = await sandbox.checkpoint()
    await sandbox.terminate()
    // An update of the machine changes the copies of later starts.
    await appendFile(path.join(sandboxd.directory, 'images/programs/sh'), '\n')
    await expect(sandbox.resume(later)).rejects.toMatchObject({ reason: 'Incompatible' })
  })

  it.each([
    { user: 'app', account: '1000 1000 app' },
    { user: '1000:0', account: '1000 0 app' },
    { user: '0', account: '0 0 sandbox' },
    { user: '0:7', account: '0 7 sandbox' },
  ])('runs its programs as the user $user, which owns the files', async ({ user, account }) => {
    const image = await registerWithUser('owned', user)
    const volumes = [{ name: 'data', mountPath: '/data' }]
    const options = { ...GVISOR, image: () => image, volumes: () => volumes }
    const sandbox = memorySandbox(sandboxd, options)
    const script =
      'own() { [ -O "$1" ] && [ -G "$1" ] && [ -w "$1" ] || echo "$1"; }; ' +
      'touch /data/file; for f in . /data /data/file; do own $f; done; echo $(id -u) $(id -g) $(id -un); ' +
      'grep ^Cap[^B] /proc/self/status | grep -v :.0000000000000000'
    const counting = 'n=0; while :; do echo $((n += 1)) >count; sleep 0.1; done'
    await sandbox.run(['/bin/sh', '-c', `{ ${script}; } >>started; ${counting}`])
    const found = () =>
      eventually(
        async () => (await sandbox.box.exec(`cat count started; ${script}`)).stdout || null,
      )
    /** The count, and what the workload and a command beside it find. */
    const countOf = (text: string) => {
      expect(text.replace(/^\d*\n/, '')).toBe(`${account}\n${account}\n`)
      return Number.parseInt(text, 10) || 0
    }
    await eventually(async () => ((await sandbox.box.exec('cat count')).stdout ? true : null))
    const before = countOf(await found())
    const snapshot = await sandbox.checkpoint()
    await sandbox.terminate()
    expect(await sandbox.resume(snapshot)).toBe('RESUME')
    await expect.poll(async () => countOf(await found())).toBeGreaterThan(before)
  })

  it('joins a network as the user of the image', async ({ skip }) => {
    if (offered?.apiAccess !== true) return skip(offered?.networkProblem)
    const image = await registerWithUser('networked', '1000')
    const { box, run } = memorySandbox(sandboxd, { ...GVISOR, image: () => image, token: 'token' })
    await run(['/bin/sh', '-c', 'sleep 1000'])
    expect((await box.exec('id -u; grep -c eth0 /proc/net/dev')).stdout).toBe('1000\n1\n')
  })

  it('restores memory in the same image, and refuses another one', async () => {
    const [first, second] = [await register('first'), await register('second')]
    let image = first
    const sandbox = memorySandbox(sandboxd, { ...GVISOR, image: () => image })
    const script = 'read -r marker </opt/marker; echo one >>runs; echo $marker >now; sleep 1000'
    await sandbox.run(['/bin/sh', '-c', script])
    await eventually(async () =>
      (await sandbox.box.exec('cat now')).stdout === 'first\n' ? 1 : null,
    )
    const snapshot = await sandbox.checkpoint()
    expect(snapshot.compatibility).toMatchObject({ image: first })
    await sandbox.terminate()
    for (const other of [second, '']) {
      image = other
      await expect(sandbox.resume(snapshot)).rejects.toMatchObject({
        reason: 'Incompatible',
        message: expect.stringContaining(`taken in the image ${first}`),
      })
    }
    image = first
    expect(await sandbox.resume(snapshot)).toBe('RESUME')
    expect((await sandbox.box.exec('cat runs; cat /opt/marker')).stdout).toBe('one\nfirst\n')
  })
})
