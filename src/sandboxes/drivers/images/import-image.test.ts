import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import {
  END,
  type Entry,
  entryBytes,
  tarBytes,
} from '../../../../test/sandboxes/support/tar-bytes.ts'
import { IMAGE_LIMITS, type ImageLimits } from './image-limits.ts'
import { importImage } from './import-image.ts'

const SHELL: Entry = { path: 'bin/sh', mode: 0o755, content: '#!' }

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'image-'))
  const own = directory
  onTestFinished(() => rm(own, { recursive: true }))
})

/** Imports a source into a new directory, beside which `escaped` would appear. */
async function importFrom(source: string, limits: Partial<ImageLimits> = {}) {
  const staging = await mkdtemp(path.join(directory, 'staging-'))
  const options = { staging, limits: { ...IMAGE_LIMITS, ...limits } }
  const { signal } = new AbortController()
  return {
    root: path.join(staging, 'rootfs'),
    ...(await importImage(source, { ...options, signal })),
  }
}

async function importTar(bytes: Buffer, limits: Partial<ImageLimits> = {}) {
  const file = path.join(directory, 'image.tar')
  await writeFile(file, bytes)
  return importFrom(file, limits)
}

interface Layout {
  readonly layers: readonly Buffer[]
  readonly config?: object
  /** Changes the blobs, by their digests. */
  readonly edit?: (blobs: Map<string, Buffer>, digests: readonly string[]) => void
}

function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Writes an OCI image layout, whose layers are compressed, and returns its directory. */
async function writeLayout({ layers, config = {}, edit }: Layout): Promise<string> {
  const layout = path.join(directory, 'layout')
  const blobs = new Map<string, Buffer>()
  const add = (bytes: Buffer): { digest: string; size: number } => {
    const hex = digestOf(bytes)
    blobs.set(hex, bytes)
    return { digest: `sha256:${hex}`, size: bytes.length }
  }
  const diffIds = layers.map((layer) => `sha256:${digestOf(layer)}`)
  const document = { config, rootfs: { type: 'layers', diff_ids: diffIds } }
  const descriptors = layers.map((layer) => add(gzipSync(layer)))
  const manifest = add(
    Buffer.from(
      JSON.stringify({ config: add(Buffer.from(JSON.stringify(document))), layers: descriptors }),
    ),
  )
  edit?.(
    blobs,
    descriptors.map(({ digest }) => digest.slice('sha256:'.length)),
  )
  await mkdir(path.join(layout, 'blobs/sha256'), { recursive: true })
  for (const [hex, bytes] of blobs) await writeFile(path.join(layout, 'blobs/sha256', hex), bytes)
  await writeFile(path.join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  await writeFile(path.join(layout, 'index.json'), JSON.stringify({ manifests: [manifest] }))
  return layout
}

it('imports directories and archives as the same image, without devices and rights', async () => {
  const source = path.join(directory, 'source')
  await mkdir(path.join(source, 'bin'), { recursive: true })
  await writeFile(path.join(source, 'bin/sh'), '#!', { mode: 0o4755 })
  await symlink('/etc/passwd', path.join(source, 'link'))
  const fromDirectory = await importFrom(source)
  const tar = tarBytes(
    { path: './', type: '5' },
    { path: './link', type: '2', link: '/etc/passwd' },
    { path: './null', type: '3' },
    { path: './pipe', type: '6' },
    { ...SHELL, path: './bin/sh', mode: 0o6711 },
  )
  const fromTar = await importTar(gzipSync(tar))
  expect(fromTar).toMatchObject({ omitted: 2, digest: fromDirectory.digest, size: 2 })
  expect((await stat(path.join(fromTar.root, 'bin/sh'))).mode & 0o7777).toBe(0o755)
  expect(await readlink(path.join(fromTar.root, 'link'))).toBe('/etc/passwd')
  const other = await importTar(tarBytes({ ...SHELL, content: '##' }))
  expect(other.digest).not.toBe(fromTar.digest)
})

it('applies layers with whiteouts, and reads the configuration', async () => {
  const layout = await writeLayout({
    layers: [
      tarBytes(
        SHELL,
        { path: 'data/old', content: 'old' },
        { path: 'data/deep/older', content: 'older' },
        { path: 'gone/file', content: 'x' },
        { path: 'sub', type: '2', link: 'data' },
      ),
      tarBytes(
        { path: 'data/new', content: 'new' },
        { path: 'data/.wh..wh..opq' },
        { path: '.wh.gone' },
        { path: '.wh.missing' },
        { path: 'sub/through', content: 'link' },
        { path: 'etc/passwd', content: 'app:x:1000:1001::/:/bin/sh\n' },
        { path: 'hard', type: '1', link: 'data/new' },
      ),
    ],
    config: {
      Env: ['A=1', 'PATH=/bin'],
      Entrypoint: ['/bin/sh'],
      Cmd: ['-c', 'true'],
      WorkingDir: '/srv/app',
      User: 'app',
    },
  })
  const image = await importFrom(layout)
  expect(image.config).toEqual({
    env: ['A=1', 'PATH=/bin'],
    entrypoint: ['/bin/sh'],
    cmd: ['-c', 'true'],
    workingDir: '/srv/app',
    user: { uid: 1000, gid: 1001 },
  })
  const read = (file: string) => readFile(path.join(image.root, file), 'utf8').catch(() => null)
  const files = ['data/old', 'data/deep/older', 'gone/file', 'data/new', 'hard', 'data/through']
  expect(await Promise.all(files.map(read))).toEqual([null, null, null, 'new', 'new', 'link'])
  expect((await stat(path.join(image.root, 'srv/app'))).isDirectory()).toBe(true)
})

it('rejects a user that the image does not have', async () => {
  const layout = await writeLayout({ layers: [tarBytes(SHELL)], config: { User: 'app' } })
  await expect(importFrom(layout)).rejects.toThrow('"app" of its configuration has no account')
})

it('reads what docker save writes', async () => {
  const layer = tarBytes(SHELL)
  const document = {
    config: { Cmd: ['/bin/sh'] },
    rootfs: { diff_ids: [`sha256:${digestOf(layer)}`] },
  }
  const config = JSON.stringify(document)
  const name = `${digestOf(config)}.json`
  const manifest = JSON.stringify([
    { Config: name, Layers: ['one/layer.tar', 'two/layer.tar'].slice(1) },
  ])
  const archive = (content: string) =>
    tarBytes(
      { path: 'two/layer.tar', type: '2', link: '../one/layer.tar' },
      { path: 'manifest.json', content: manifest },
      { path: name, content },
      { path: 'one/layer.tar', content: layer.toString('latin1') },
    )
  expect((await importTar(archive(config))).config.cmd).toEqual(['/bin/sh'])
  await expect(importTar(archive(`${config} `))).rejects.toThrow('has the digest')
})

it.each<[string, readonly Entry[], string]>([
  ['an absolute path', [{ path: '/etc/x' }], 'is absolute'],
  ['a path with ..', [{ path: 'a/../../escaped' }], "contains '..'"],
  ['an absolute path of an extended header', [{ path: 'a', pax: { path: '/x' } }], 'is absolute'],
  ['a hard link to a file outside', [{ path: 'a', type: '1', link: '/etc/passwd' }], 'is absolute'],
  ['a hard link with ..', [{ path: 'a', type: '1', link: '../escaped' }], "contains '..'"],
  ['a hard link to nothing', [{ path: 'a', type: '1', link: 'b' }], 'has no file'],
  [
    'a circle of links',
    [{ path: 'a', type: '2', link: 'b' }, { path: 'b', type: '2', link: 'a' }, { path: 'a/x' }],
    'in a circle',
  ],
  ['a file as a directory', [{ path: 'a' }, { path: 'a/b' }], 'not a directory'],
  ['a link without a target', [{ path: 'a', type: '2' }], 'no valid target'],
  ['a long name', [{ path: 'a', pax: { path: 'n'.repeat(300) } }], 'is not allowed'],
  ['an unknown type', [{ path: 'a', type: 'Z' }], 'unknown type'],
  ['a sparse file', [{ path: 'a', pax: { 'GNU.sparse.major': '1' } }], 'sparse'],
  ['a link for /var', [{ path: 'var', type: '2', link: '/' }], 'is a link, not a directory'],
  [
    'a malformed header',
    [{ path: 'a', edit: (block) => block.write('zzz', 124) }],
    'no valid number',
  ],
  [
    'a size beyond the archive',
    [{ path: 'a', edit: (block) => block.write('00000777777', 124) }],
    'truncated',
  ],
])('rejects %s', async (_name, entries, message) => {
  await expect(importTar(tarBytes(SHELL, ...entries))).rejects.toThrow(message)
})

it('writes nothing through links that lead outside', async () => {
  const outside = path.join(directory, 'outside')
  await mkdir(outside)
  const image = await importTar(
    tarBytes(
      SHELL,
      { path: 'absolute', type: '2', link: outside },
      { path: 'absolute/escaped', content: 'x' },
      { path: 'climbing', type: '2', link: '../../../../../../../..' },
      { path: `climbing${outside}/escaped`, content: 'x' },
      { path: 'file', type: '2', link: path.join(outside, 'escaped') },
      { path: 'file', content: 'x' },
      { path: 'etc/passwd', type: '2', link: path.join(outside, 'escaped') },
    ),
  )
  await expect(stat(path.join(outside, 'escaped'))).rejects.toThrow('ENOENT')
  expect(await readFile(path.join(image.root, outside, 'escaped'), 'utf8')).toBe('x')
  expect(await readFile(path.join(image.root, 'etc/passwd'), 'utf8')).toBe('')
})

it('removes nothing through whiteouts that point elsewhere', async () => {
  const victim = path.join(directory, 'victim')
  await writeFile(victim, 'kept')
  const lower = tarBytes(SHELL, { path: 'out', type: '2', link: directory })
  const layout = await writeLayout({ layers: [lower, tarBytes({ path: 'out/.wh.victim' })] })
  await importFrom(layout)
  for (const whiteout of ['.wh...', '.wh.', '.wh..']) {
    const invalid = await writeLayout({ layers: [lower, tarBytes({ path: whiteout })] })
    await expect(importFrom(invalid)).rejects.toThrow(/names no file|contains '\.\.'/)
  }
  expect(await readFile(victim, 'utf8')).toBe('kept')
})

it('rejects an image beyond a limit before it is decompressed', async () => {
  const zeros = tarBytes(SHELL, { path: 'zeros', content: '\0'.repeat(8_000_000) })
  const bomb = gzipSync(zeros)
  await expect(importTar(bomb, { bytes: 1_000_000, entries: 10 })).rejects.toThrow('too large')
  await expect(importTar(zeros, { bytes: 1_000_000 })).rejects.toThrow('more than 1000000 bytes')
  const many = tarBytes(SHELL, ...['a', 'b', 'c'].map((name) => ({ path: name })))
  await expect(importTar(many, { entries: 3 })).rejects.toThrow('more than 3 entries')
  const layout = await writeLayout({ layers: [tarBytes(SHELL), tarBytes({ path: 'a' })] })
  await expect(importFrom(layout, { layers: 1 })).rejects.toThrow('more than 1 layers')
  await expect(importFrom(layout, { documentBytes: 50 })).rejects.toThrow('larger than 50 bytes')
  const extended = { path: 'a', pax: { comment: 'c'.repeat(300_000) } }
  await expect(importTar(tarBytes(SHELL, extended))).rejects.toThrow('too large')
})

it('compares the digests of layers, and rejects paths as digests', async () => {
  const layers = [tarBytes(SHELL)]
  const changed = await writeLayout({
    layers,
    edit: (blobs, [hex = '']) => blobs.set(hex, gzipSync(tarBytes(SHELL, { path: 'evil' }))),
  })
  await expect(importFrom(changed)).rejects.toThrow('has the digest')
  const layout = await writeLayout({ layers })
  const manifests = [{ digest: 'sha256:../../../etc/passwd' }]
  await writeFile(path.join(layout, 'index.json'), JSON.stringify({ manifests }))
  await expect(importFrom(layout)).rejects.toThrow('is not a SHA-256 digest')
})

it.each([
  ['cut off', gzipSync(tarBytes(SHELL)).subarray(0, 40), 'damaged'],
  ['without an end', entryBytes(SHELL), 'truncated'],
  ['compressed with xz', Buffer.from('fd377a585a0000', 'hex'), 'compressed with xz'],
  ['empty', END, 'it has no files'],
  ['that is none', Buffer.from('x'.repeat(2000)), 'no valid number'],
])('rejects an archive %s', async (_name, bytes, message) => {
  await expect(importTar(bytes)).rejects.toThrow(message)
})
