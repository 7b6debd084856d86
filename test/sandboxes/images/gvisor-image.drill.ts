import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { eventually, memorySandbox } from '../support/memory-sandbox.ts'
import { startSandboxd } from '../support/start-sandboxd.ts'
import { imagesCommand } from './command.ts'
import { writeMinimalRoot, writeRootWithoutShell } from './minimal-root.ts'
import { execProgram, useShelllessSandbox } from './shellless-sandbox.ts'

const sandboxd = await startSandboxd()
const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
const reason = isolationClasses.find(({ name }) => name === 'gvisor')?.reason ?? 'unknown'
const GVISOR = { driver: 'gvisor', isolationClass: 'gvisor' }

afterEach(() => sandboxd.clear())
afterAll(() => sandboxd[Symbol.asyncDispose]())

async function register(name: string, write = writeMinimalRoot): Promise<string> {
  const source = await mkdtemp(path.join(os.tmpdir(), 'image-'))
  await write(source, name)
  const { output } = await imagesCommand(sandboxd, 'add', name, source)
  await rm(source, { recursive: true })
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
