import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type CertificateSource, openCertificateSource } from './certificate-source.ts'
import { createPair, silentLog, temporaryFolder } from './fixtures.ts'
import type { KeyPair, KeyPairFiles } from './key-pair.ts'

async function writePair(folder: string, { cert, key }: KeyPair): Promise<KeyPairFiles> {
  await mkdir(folder, { recursive: true })
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  await writeFile(files.certFile, cert)
  await writeFile(files.keyFile, key)
  return files
}

async function openSource(files: KeyPairFiles): Promise<CertificateSource> {
  const source = await openCertificateSource(files, { log: silentLog, intervalMs: 5 })
  onTestFinished(() => source[Symbol.dispose]())
  return source
}

function nextPair(source: CertificateSource): Promise<KeyPair> {
  return new Promise((resolve) => source.onChange(resolve))
}

test('loads a pair that replaces the files by renames', async () => {
  const folder = await temporaryFolder()
  const files = await writePair(folder, await createPair())
  const source = await openSource(files)
  const changed = nextPair(source)
  const pair = await createPair()
  const drafts = await writePair(join(folder, 'drafts'), pair)
  await rename(drafts.certFile, files.certFile)
  await rename(drafts.keyFile, files.keyFile)
  expect(await changed).toEqual(pair)
  expect(source.current()).toEqual(pair)
})

test('loads a pair after the symlink swap of a mounted secret', async () => {
  const folder = await temporaryFolder()
  await writePair(join(folder, '..old'), await createPair())
  const pair = await createPair()
  await writePair(join(folder, '..new'), pair)
  await symlink('..old', join(folder, '..data'))
  for (const name of ['tls.crt', 'tls.key']) await symlink(join('..data', name), join(folder, name))
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  const changed = nextPair(await openSource(files))
  await symlink('..new', join(folder, '..data_tmp'))
  await rename(join(folder, '..data_tmp'), join(folder, '..data'))
  expect(await changed).toEqual(pair)
})

test('keeps the old pair while the new one is unusable', async () => {
  const folder = await temporaryFolder()
  const old = await createPair()
  const files = await writePair(folder, old)
  const warnings: string[] = []
  let warned = (): void => undefined
  const log = {
    info: () => undefined,
    warn: (_fields: object, message: string) => {
      warnings.push(message)
      warned()
    },
  }
  const source = await openCertificateSource(files, { log, intervalMs: 5 })
  onTestFinished(() => source[Symbol.dispose]())
  const logged = new Promise<void>((resolve) => {
    warned = resolve
  })
  // A rename, because the source would also read and report an empty file.
  const other = await createPair()
  const drafts = await writePair(join(folder, 'drafts'), other)
  await rename(drafts.keyFile, files.keyFile)
  await logged
  expect(source.current()).toEqual(old)
  const changed = nextPair(source)
  await rename(drafts.certFile, files.certFile)
  expect(await changed).toEqual(other)
  expect(warnings).toEqual(['the new TLS certificate is unusable: the old one stays in use'])
})

test('rejects at the start a key that belongs to another certificate', async () => {
  const { cert } = await createPair()
  const { key } = await createPair()
  const files = await writePair(await temporaryFolder(), { cert, key })
  await expect(openSource(files)).rejects.toThrow(/^cert of TLS .*tls\.crt, key of TLS .*: /)
})

test('rejects empty files, as a program that writes them leaves for a moment', async () => {
  const { cert, key } = await createPair()
  const folder = await temporaryFolder()
  await expect(openSource(await writePair(folder, { cert: '', key }))).rejects.toThrow('is empty')
  await expect(openSource(await writePair(folder, { cert, key: '' }))).rejects.toThrow('is empty')
})
