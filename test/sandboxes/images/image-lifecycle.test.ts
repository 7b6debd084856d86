import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { addImage } from '../../../src/sandboxes/drivers/images/add-image.ts'
import { collectImages } from '../../../src/sandboxes/drivers/images/collect-images.ts'
import { IMAGE_LIMITS } from '../../../src/sandboxes/drivers/images/image-limits.ts'
import {
  findImage,
  type ImageDirectories,
  imageDirectories,
  listImages,
} from '../../../src/sandboxes/drivers/images/image-store.ts'
import { withLockedImages } from '../../../src/sandboxes/drivers/images/lock-images.ts'
import { removeImage } from '../../../src/sandboxes/drivers/images/remove-image.ts'
import { imagesCommand, startImagesCommand } from './command.ts'
import { writeMinimalRoot } from './minimal-root.ts'

let directory: string
let images: ImageDirectories
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'images-'))
  // Root's runtimes keep images elsewhere if other users cannot enter their directory.
  await chmod(directory, 0o755)
  const own = directory
  onTestFinished(() => rm(own, { recursive: true }))
  images = await imageDirectories(path.join(directory, 'images'))
  await writeMinimalRoot(path.join(directory, 'root'))
})

const add = (name: string, source = 'root') =>
  addImage(images, {
    name,
    source: path.join(directory, source),
    tenant: '',
    namespace: '',
    added: new Date(0),
    limits: IMAGE_LIMITS,
    signal: new AbortController().signal,
  })

it('keeps the files of a removed name until no sandbox uses them', async () => {
  const { digest } = await add('team/app:1')
  await add('same')
  expect((await listImages(images)).map(({ name }) => name)).toEqual(['same', 'team/app:1'])
  expect(await removeImage(images, 'same')).toBe(true)
  expect(await removeImage(images, 'same')).toBe(false)
  expect(await collectImages(images, () => false)).toEqual([])
  await removeImage(images, 'team/app:1')
  expect(await collectImages(images, (used) => used === digest)).toEqual([])
  expect(await findImage(images, digest)).toMatchObject({ digest })
  expect(await collectImages(images, () => false)).toEqual([digest])
  expect(await findImage(images, digest)).toBeNull()
  expect(await readdir(images.staging)).toEqual([])
})

it('lists only images while another process changes their names', async () => {
  const { digest } = await add('owner')
  await withLockedImages(images, async () => {
    expect(await listImages(images)).toMatchObject([{ name: 'owner', digest }])
  })
  expect(await listImages(images)).toMatchObject([{ name: 'owner', digest }])
})

it('gives a name to another image, which the former one survives while it is used', async () => {
  const before = await add('app')
  await writeMinimalRoot(path.join(directory, 'other'), 'other')
  const after = await add('app', 'other')
  expect(after.digest).not.toBe(before.digest)
  expect(await listImages(images)).toMatchObject([{ name: 'app', digest: after.digest }])
  expect(await findImage(images, before.digest)).not.toBeNull()
  expect(await collectImages(images, () => false)).toEqual([before.digest])
})

it('leaves nothing of a rejected image', async () => {
  await mkdir(path.join(directory, 'empty'))
  await expect(add('app', 'empty')).rejects.toThrow('it has no files')
  await expect(add('app', 'missing')).rejects.toThrow('ENOENT')
  await expect(add('../app')).rejects.toThrow('is no name of an image')
  expect(await readdir(images.staging)).toEqual([])
  expect(await readdir(images.content)).toEqual([])
  expect(await listImages(images)).toEqual([])
})

it('shows nothing of an image whose command was killed, and removes its files', async () => {
  const runtime = path.join(directory, 'runtime')
  const source = path.join(directory, 'root')
  await mkdir(runtime)
  const own = await imageDirectories(path.join(runtime, 'images'))
  // The command has written all files, and waits for the lock.
  await withLockedImages(own, async () => {
    const killed = startImagesCommand({ directory: runtime }, 'add', 'app', source)
    const hasAll = async () => (await stagedFiles(own)).includes('image.json')
    while (!(await hasAll()) && killed.child.exitCode === null) await sleep(20)
    killed.child.kill('SIGKILL')
    expect(await killed.ended).toEqual({ code: null, output: '' })
  })
  expect(await listImages(own)).toEqual([])
  expect(await readdir(own.content)).toEqual([])
  expect(await stagedFiles(own)).toContain('image.json')
  await collectImages(own, () => false)
  expect(await readdir(own.staging)).toEqual([])
  expect(await imagesCommand({ directory: runtime }, 'add', 'app', source)).toMatchObject({
    code: 0,
  })
  expect(await listImages(own)).toMatchObject([{ name: 'app' }])
})

async function stagedFiles({ staging }: ImageDirectories): Promise<readonly string[]> {
  const files = await readdir(staging, { recursive: true })
  return files.map((file) => path.basename(file))
}
