import { mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_ARCHIVE_LIMITS } from '../../../src/sandboxes/drivers/archives/archive-limits.ts'
import { extractArchive } from '../../../src/sandboxes/drivers/archives/extract-archive.ts'
import { BLOCK, END, type Entry, entryBytes } from '../support/tar-bytes.ts'

const FOLDER: Entry = { path: 'workspace/', type: '5', mode: 0o755 }

interface Attempt {
  readonly bytes: Buffer
  readonly outsideLinks?: ReadonlyMap<string, string>
  readonly chunk?: number
  /** Follows when tar has extracted the archive and ended. */
  readonly lastChunk?: Buffer
}

/** Waits until no process works in a folder. */
async function untilTarEnds(folder: string): Promise<void> {
  const worksHere = async (pid: string): Promise<boolean> =>
    (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === folder
  const pids = async () => (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  while ((await Promise.all((await pids()).map(worksHere))).includes(true)) await setTimeout(20)
}

/** Extracts an archive into a folder beside which `escaped` would appear. */
async function extract({
  bytes,
  outsideLinks = new Map(),
  chunk = 1000,
  lastChunk,
}: Attempt): Promise<string> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'hostile-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const cwd = path.join(base, 'staging')
  await mkdir(cwd)
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
    if (!lastChunk) return
    await untilTarEnds(cwd)
    yield lastChunk
  }
  try {
    await extractArchive(chunks(), {
      cwd,
      account: null,
      signal: AbortSignal.timeout(30_000),
      compression: 'none',
      folders: ['workspace'],
      outsideLinks,
      limits: { ...DEFAULT_ARCHIVE_LIMITS, entries: 50, bytes: 100_000 },
    })
    return cwd
  } finally {
    expect(await readdir(base)).toEqual(['staging'])
  }
}

const archiveOf = (...entries: readonly Entry[]): Buffer =>
  Buffer.concat([...entries.map(entryBytes), END])

test.each([1, 7, 511, 512, 513, 100_000])(
  'accepts a plain archive in chunks of %i bytes',
  async (chunk) => {
    const file = { path: 'workspace/file', content: 'x'.repeat(1000) }
    const long = {
      path: 'workspace/short',
      content: 'y',
      pax: { path: `workspace/${'l'.repeat(200)}` },
    }
    const hard = { path: 'workspace/hard', type: '1', link: 'workspace/file' }
    const soft = { path: 'workspace/soft', type: '2', link: 'file' }
    const cwd = await extract({ bytes: archiveOf(FOLDER, file, long, hard, soft), chunk })
    const names = await readdir(path.join(cwd, 'workspace'))
    expect(names.toSorted()).toEqual(['file', 'hard', 'l'.repeat(200), 'soft'].toSorted())
    expect(await readFile(path.join(cwd, 'workspace/soft'), 'utf8')).toBe(file.content)
  },
)

const file = (name: string, more: Partial<Entry> = {}): Entry => ({
  path: name,
  content: 'x',
  ...more,
})

const HOSTILE: readonly (readonly [string, readonly Entry[]])[] = [
  ['an absolute path', [file('/tmp/escaped')]],
  ['a path above the folder', [file('../escaped')]],
  ['a path with .. inside', [file('workspace/../../escaped')]],
  [
    'an absolute path in an extended header',
    [file('workspace/a', { pax: { path: '/tmp/escaped' } })],
  ],
  ['.. in an extended header', [file('workspace/a', { pax: { path: 'workspace/../../escaped' } })]],
  ['a folder that is not expected', [{ path: 'run/', type: '5', mode: 0o755 }]],
  ['a path without its folder', [file('workspace/a/b')]],
  ['a path with an empty name', [file('workspace//a')]],
  ['a path with a dot', [file('workspace/./a')]],
  [
    'a file below a link',
    [{ path: 'workspace/l', type: '2', link: 'x' }, file('workspace/l/escaped')],
  ],
  [
    'a link that replaces a folder',
    [
      { path: 'workspace/d/', type: '5', mode: 0o755 },
      { path: 'workspace/d', type: '2', link: 'x' },
    ],
  ],
  [
    'a file that replaces a link',
    [{ path: 'workspace/l', type: '2', link: 'x' }, file('workspace/l')],
  ],
  ['a link to an absolute path', [{ path: 'workspace/l', type: '2', link: '/etc/passwd' }]],
  ['a link that climbs out', [{ path: 'workspace/l', type: '2', link: '../escaped' }]],
  ['a link that climbs out later', [{ path: 'workspace/l', type: '2', link: 'a/../../escaped' }]],
  ['a link without a target', [{ path: 'workspace/l', type: '2', link: '' }]],
  [
    'a target in an extended header',
    [{ path: 'workspace/l', type: '2', link: 'a', pax: { linkpath: '/etc/passwd' } }],
  ],
  ['a hard link outside', [{ path: 'workspace/h', type: '1', link: '/etc/passwd' }]],
  ['a hard link above', [{ path: 'workspace/h', type: '1', link: '../escaped' }]],
  [
    'a hard link to a symbolic link',
    [
      { path: 'workspace/l', type: '2', link: 'x' },
      { path: 'workspace/h', type: '1', link: 'workspace/l' },
    ],
  ],
  [
    'a hard link to a later file',
    [{ path: 'workspace/h', type: '1', link: 'workspace/f' }, file('workspace/f')],
  ],
  [
    'a hard link with content',
    [file('workspace/f'), { path: 'workspace/h', type: '1', link: 'workspace/f', content: 'x' }],
  ],
  ['a character device', [{ path: 'workspace/null', type: '3' }]],
  ['a block device', [{ path: 'workspace/sda', type: '4' }]],
  ['a fifo', [{ path: 'workspace/fifo', type: '6' }]],
  ['a contiguous file', [file('workspace/f', { type: '7' })]],
  ['a GNU long name', [file('workspace/f', { type: 'L' })]],
  ['a GNU long link', [file('workspace/f', { type: 'K' })]],
  ['an old sparse file', [file('workspace/f', { type: 'S' })]],
  ['a multi-volume part', [file('workspace/f', { type: 'M' })]],
  ['a global extended header', [file('pax_global_header', { type: 'g' })]],
  ['a setuid file', [file('workspace/su', { mode: 0o4755 })]],
  ['a setgid folder', [{ path: 'workspace/sg/', type: '5', mode: 0o2755 }]],
  ['a path twice', [file('workspace/f'), file('workspace/f')]],
  ['an unknown keyword', [file('workspace/f', { pax: { 'SCHILY.xattr.user.a': 'b' } })]],
  ['a sparse file of another version', [file('workspace/f', { pax: { 'GNU.sparse.major': '0' } })]],
  ['a size that is not a number', [file('workspace/f', { pax: { size: '1e3' } })]],
  ['a size larger than the limit', [file('workspace/f', { pax: { size: '999999999' } })]],
  ['too much content', [file('workspace/f', { content: 'x'.repeat(100_001) })]],
  ['too many entries', Array.from({ length: 51 }, (_, index) => file(`workspace/${index}`))],
  ['a binary size', [file('workspace/f', { edit: (block) => void block.writeUInt8(0x80, 124) })]],
  [
    'a header of another format',
    [file('workspace/f', { edit: (block) => void block.write('ustar  \0', 257) })],
  ],
  ['a long name', [file('workspace/f', { pax: { path: `workspace/${'n'.repeat(256)}` } })]],
  ['a folder with content', [{ path: 'workspace/d/', type: '5', mode: 0o755, content: 'x' }]],
]

test.each(HOSTILE)('rejects %s', async (_name, entries) => {
  await expect(extract({ bytes: archiveOf(FOLDER, ...entries) })).rejects.toMatchObject({
    code: 'DATA_LOSS',
    reason: 'SnapshotCorrupt',
  })
})

test('rejects damaged and incomplete archives', async () => {
  const good = archiveOf(FOLDER, file('workspace/f'))
  const wrongChecksum = Buffer.from(good)
  wrongChecksum.writeUInt8(wrongChecksum.readUInt8(BLOCK) ^ 1, BLOCK)
  const rejected = { code: 'DATA_LOSS' }
  await expect(extract({ bytes: wrongChecksum })).rejects.toMatchObject(rejected)
  await expect(extract({ bytes: good.subarray(0, -1) })).rejects.toMatchObject(rejected)
  await expect(extract({ bytes: good.subarray(0, -2 * BLOCK) })).rejects.toMatchObject(rejected)
  await expect(extract({ bytes: Buffer.concat([good, good]) })).rejects.toMatchObject(rejected)
  await expect(extract({ bytes: Buffer.alloc(0) })).rejects.toMatchObject(rejected)
  await expect(extract({ bytes: END })).rejects.toMatchObject(rejected)
})

test('accepts an archive whose stream ends after tar has ended, and checks it to its end', async () => {
  const good = archiveOf(FOLDER, file('workspace/f'))
  // tar reads records of 20 blocks and ends with the record of the end mark.
  const record = Buffer.concat([good, Buffer.alloc(20 * BLOCK - good.length)])
  const cwd = await extract({ bytes: record, chunk: record.length, lastChunk: Buffer.alloc(BLOCK) })
  expect(await readdir(path.join(cwd, 'workspace'))).toEqual(['f'])
  await expect(
    extract({ bytes: record, chunk: record.length, lastChunk: Buffer.alloc(BLOCK, 'x') }),
  ).rejects.toMatchObject({ code: 'DATA_LOSS' })
})

test('accepts links that point outside only if the manifest lists them', async () => {
  const bytes = archiveOf(FOLDER, { path: 'workspace/l', type: '2', link: '/usr/bin/python3' })
  await extract({ bytes, outsideLinks: new Map([['workspace/l', '/usr/bin/python3']]) })
  const other = new Map([['workspace/l', '/etc/passwd']])
  await expect(extract({ bytes, outsideLinks: other })).rejects.toMatchObject({ code: 'DATA_LOSS' })
})
