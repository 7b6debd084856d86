import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/memory-sandbox.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'
import { imagesCommand } from './command.ts'
import { writeMinimalRoot, writeRootWithoutShell } from './minimal-root.ts'
import { useShelllessSandbox } from './shellless-sandbox.ts'
import { writeLayout } from './write-layout.ts'

const USERS = process.getuid?.() === 0 ? [undefined, 54_325] : [undefined]

describe.each(
  USERS.map((user) => ({ user, name: user === undefined ? 'the own' : 'an ordinary' })),
)('a sandbox of $name user with an image', ({ user }) => {
  let source: string
  let sandboxd: TestSandboxd
  let reason: string
  let digest: string
  beforeAll(async () => {
    source = await mkdtemp(path.join(os.tmpdir(), 'image-'))
    await writeMinimalRoot(source)
    await chmod(source, 0o755)
    // The source may have files that only its owner reads.
    await chmod(path.join(source, 'opt/marker'), user === undefined ? 0o600 : 0o644)
    sandboxd = await startSandboxd(user === undefined ? {} : { user })
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    reason = isolationClasses.find(({ name }) => name === 'bubblewrap')?.reason ?? 'unknown'
    const { directory } = sandboxd
    const added = await imagesCommand({ directory, user }, 'add', 'team/app:1', source)
    digest = /sha256:[0-9a-f]{64}/.exec(added.output)?.[0] ?? added.output
  })
  afterAll(async () => {
    await sandboxd[Symbol.asyncDispose]()
    await rm(source, { recursive: true })
  })

  const sandbox = () => runtimeSandbox(() => sandboxd.connection)
  const workload = (script: string, more = {}) => ({
    workload: {
      command: ['/bin/sh', '-c', script],
      isolationClass: 'bubblewrap',
      image: digest,
      ...more,
    },
  })

  it('is reported by the runtime with its digest', async () => {
    const { images } = await sandboxd.connection.runtime.getRuntimeInfo({})
    expect(images).toMatchObject([{ name: 'team/app:1', digest }])
    expect(Number(images[0]?.sizeBytes)).toBeGreaterThan(0)
  })

  it('sees the files of the image, its own workspace, and nothing of the machine', async ({
    skip,
  }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox()
    await box.start('one', '', workload('cat /opt/marker; pwd; touch here; id -un; sleep 60'))
    await expect.poll(() => box.logs()).toBe('image\n/workspace\nsandbox\n')
    const script =
      'cat /opt/marker; ls /; ls /workspace; readlink /etc/mtab; cat /etc/passwd; ' +
      'touch /opt/new 2>&1; touch /tmp/new; ls /usr/share 2>&1'
    const { stdout } = await box.exec(script)
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['image', 'workspace', 'here', '/proc/mounts', 'opt']),
    )
    expect(stdout).toMatch(/^app:x:1000:/m)
    expect(stdout).toMatch(/^sandbox:x:/m)
    expect(stdout).toContain('Read-only file system')
    expect(stdout).toContain("'/usr/share'")
  })

  it('mounts volumes at paths that the image has, and at new ones', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const box = sandbox()
    const script =
      'for d in /opt /var/lib/data /new/place /etc/app /volumes/plain; do echo 1 >"$d/file"; done; ' +
      'ls /opt /etc; cat /etc/hostname'
    const volumes = ['/opt', '/var/lib/data', '/new/place', '/etc/app', ''].map(
      (mountPath, index) => ({ name: mountPath === '' ? 'plain' : `v${index}`, mountPath }),
    )
    await box.start('one', '', workload(script, { volumes }))
    expect(await box.reaches('Exited')).toMatchObject({ exitCode: 0 })
    const lines = (await box.logs()).trim().split('\n')
    expect(lines).toEqual(expect.arrayContaining(['file', 'app', 'passwd', 'mtab', 'box']))
    expect(lines).not.toContain('marker')
  })

  it('does not start at a link of the image, or without the image', async () => {
    const volumes = [{ name: 'data', mountPath: '/usr/bin/data' }]
    const linked = sandbox().start('one', '', workload('true', { volumes }))
    await expect(linked).rejects.toThrow(reason === '' ? 'needs /usr/bin' : 'does not offer')
    const image = digest.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const missing = sandbox().start('one', '', workload('true', { image }))
    await expect(missing).rejects.toThrow(reason === '' ? `the image ${image}` : 'does not offer')
  })

  it('is started only for the tenant and the namespace of its registration', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const { directory } = sandboxd
    const root = path.join(source, 'opt')
    await writeMinimalRoot(root, 'private')
    await chmod(path.join(root, 'opt/marker'), 0o644)
    const add = async (namespace: string): Promise<string> => {
      const users = ['--tenant', 'org=acme', '--namespace', namespace]
      const { output } = await imagesCommand({ directory, user }, 'add', ...users, 'private', root)
      return /sha256:[0-9a-f]{64}/.exec(output)?.[0] ?? output
    }
    const image = await add('other')
    const start = (tenant: string, box = sandbox(), id = 'one') =>
      box.start(id, '', workload('exit 0', { image, tenant }))
    const forbidden = 'the image private is registered for other tenants or namespaces'
    await expect(start('{"org":"acme"}')).rejects.toMatchObject({
      reason: 'ImageForbidden',
      message: expect.stringContaining(forbidden),
    })
    await add('default')
    await expect(start('')).rejects.toThrow(forbidden)
    await expect(start('{"org":"umbrella"}')).rejects.toThrow(forbidden)
    const box = sandbox()
    await start('{"org":"acme"}', box)
    await box.reaches('Exited')
    expect((await imagesCommand({ directory, user }, 'list')).output).toMatch(
      /^private .* org=acme {2}default$/m,
    )
    await imagesCommand({ directory, user }, 'remove', 'private')
    await expect(start('{"org":"acme"}')).rejects.toThrow('has no name any more')
    await start('{"org":"acme"}', box, 'two')
  })

  it('runs its programs as the user of the image, which owns the workspace', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const { directory } = sandboxd
    const root = path.join(source, 'owned')
    await writeMinimalRoot(root)
    for (const { name, ids } of [
      { name: 'app', ids: '1000 1000 app' },
      { name: '0:7', ids: '0 7 sandbox' },
    ]) {
      const layout = await writeLayout(path.join(source, 'layout'), root, { User: name })
      const { output } = await imagesCommand({ directory, user }, 'add', 'owned', layout)
      const image = /sha256:[0-9a-f]{64}/.exec(output)?.[0] ?? output
      const box = sandbox()
      const script =
        'touch file; echo $(id -u) $(id -g) $(id -un); grep ^Cap[^B] /proc/self/status | grep -v :.0000000000000000'
      await box.start('one', '', workload(`${script}; sleep 60`, { image }))
      expect((await box.exec(`${script}; ls -n file`)).stdout).toMatch(
        new RegExp(`^${ids}\n-rw\\S+ 1 ${ids.split(' ').slice(0, 2).join(' ')} `),
      )
      expect(await eventually(async () => (await box.logs()) || null)).toBe(`${ids}\n`)
    }
  })

  it('runs programs of an image without a shell', async ({ skip }) => {
    if (reason !== '') return skip(reason)
    const root = path.join(source, 'shellless')
    await writeRootWithoutShell(root)
    const { output } = await imagesCommand(
      { directory: sandboxd.directory, user },
      'add',
      'app',
      root,
    )
    const image = /sha256:[0-9a-f]{64}/.exec(output)?.[0] ?? output
    await useShelllessSandbox(sandboxd, image, 'bubblewrap')
  })

  it('cannot have the class process', async () => {
    const started = sandbox().start('one', '', workload('true', { isolationClass: 'process' }))
    await expect(started).rejects.toThrow('the class process cannot use images')
  })
})
