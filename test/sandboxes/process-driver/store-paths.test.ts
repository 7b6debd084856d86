import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { localStoreDirectory } from '../../../src/sandboxes/drivers/stores/local-store-directory.ts'
import { snapshotPrefix } from '../../../src/sandboxes/drivers/stores/snapshot-prefix.ts'
import { readStoreParameters } from '../../../src/sandboxes/drivers/stores/store-parameters.ts'
import { startDriverRig } from './driver-rig.ts'

async function startBase(): Promise<{ base: string; root: string }> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'store-paths-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  return { base, root: path.join(base, 'root') }
}

test('resolves directories below the roots', async () => {
  const { base, root } = await startBase()
  const second = path.join(base, 'second')
  expect(await localStoreDirectory('', [root])).toBe(root)
  expect(await localStoreDirectory('team/a', [root])).toBe(path.join(root, 'team/a'))
  expect(await localStoreDirectory(path.join(second, 'b'), [root, second])).toBe(
    path.join(second, 'b'),
  )
})

test.each(['../evil', 'a/../../evil', '/etc', '/', 'a\0b'])(
  'rejects the directory %j and creates nothing',
  async (requested) => {
    const { base, root } = await startBase()
    await expect(localStoreDirectory(requested, [root])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
    expect(await readdir(base)).toEqual([])
  },
)

test('rejects a directory behind a link that leaves the root', async () => {
  const { base, root } = await startBase()
  await mkdir(path.join(base, 'outside'))
  await mkdir(root)
  await symlink('../outside', path.join(root, 'link'))
  for (const requested of ['link', 'link/new']) {
    await expect(localStoreDirectory(requested, [root])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('symbolic link'),
    })
  }
  expect(await readdir(path.join(base, 'outside'))).toEqual([])
})

test('builds keys that contain every part of the identity', () => {
  const address = {
    installation: 'inst',
    plane: 'root',
    namespace: 'team',
    sandboxUid: 'uid',
    snapshotUid: 'snap',
  }
  expect(snapshotPrefix(address)).toBe('inst/root/team/uid/snap/')
  for (const snapshotUid of ['../evil', '..', '', '.', 'a/b', 'a\0', 'ü', 'x'.repeat(254)]) {
    expect(() => snapshotPrefix({ ...address, snapshotUid })).toThrow(
      'cannot be part of a storage key',
    )
  }
})

test.each([
  [{ store: 'gcs', bucket: 'b' }, 'no GCS store'],
  [{ store: 'tape' }, 'unknown'],
  [{ store: 's3' }, 'bucket'],
  [{ store: 's3', bucket: 'bucket', prefix: '../evil' }, 'prefix'],
  [{ store: 's3', bucket: 'bucket', prefix: '/a' }, 'prefix'],
  [{ store: 's3', bucket: 'bucket', endpoint: 'file:///etc/passwd' }, 'endpoint'],
  [{ store: 's3', bucket: 'bucket', endpoint: 'http://user:pw@host' }, 'endpoint'],
  [{ store: 's3', bucket: 'bucket', pathStyle: 'maybe' }, 'pathStyle'],
  [{ store: 'local', path: '../evil' }, "contains '..'"],
])('lists the problem of %j', (parameters, problem) => {
  const read = readStoreParameters(parameters, ['/srv/snapshots'])
  expect('problems' in read ? read.problems.join() : '').toContain(problem)
})

test('validates the parameters of a backend without touching a store', async () => {
  await using rig = await startDriverRig()
  const problems = (parameters: Record<string, string>) =>
    rig.driver.validate({
      $typeName: 'flotilla.sandbox.v1alpha1.ValidateRequest',
      driver: 'process',
      parameters,
      secrets: {},
    })
  expect(await problems({})).toEqual([])
  expect(await problems({ 'flotilla.dev/workspace': '/x', store: 'local' })).toEqual([])
  expect(await problems({ store: 'gcs', bucket: 'b' })).toEqual([expect.stringContaining('GCS')])
  expect(await problems({ pth: 'x' })).toEqual([expect.stringContaining('pth: unknown parameter')])
  expect(await problems({ encryption: 'on' })).toEqual([
    expect.stringContaining('SANDBOX_ENCRYPTION_KEYS'),
  ])
  await expect(rig.checkpoint({ parameters: { path: '../evil' } })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  })
  expect(await rig.processState()).not.toBe('T')
})
