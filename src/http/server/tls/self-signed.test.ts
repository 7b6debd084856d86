import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from './fixtures.ts'
import { selfSignedFiles } from './self-signed.ts'

const NOW = new Date('2026-03-01T00:00:00Z')
const DAY_MS = 86_400_000

test('creates a certificate for the loopback, the listener and the machine', async () => {
  const dataDir = await temporaryFolder()
  const files = await selfSignedFiles({ dataDir, host: '10.1.2.3', machine: 'box', now: NOW })
  const certificate = new X509Certificate(await readFile(files.caFile))
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.ca).toBe(true)
  expect(certificate.subjectAltName).toBe(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:10.1.2.3, DNS:box',
  )
})

test('keeps the private key out of the file that clients trust', async () => {
  const dataDir = await temporaryFolder()
  const files = await selfSignedFiles({ dataDir, host: '::', machine: 'box', now: NOW })
  expect(await readFile(files.caFile, 'utf8')).not.toContain('PRIVATE')
  expect((await stat(files.keyFile)).mode & 0o777).toBe(0o600)
})

test('keeps a usable certificate and replaces it before it expires', async () => {
  const dataDir = await temporaryFolder()
  const read = async (host: string, days: number): Promise<string> => {
    const now = new Date(NOW.getTime() + days * DAY_MS)
    const { certFile } = await selfSignedFiles({ dataDir, host, machine: 'box', now })
    return readFile(certFile, 'utf8')
  }
  const first = await read('127.0.0.1', 0)
  expect(await read('127.0.0.1', 300)).toBe(first)
  const renewed = await read('127.0.0.1', 340)
  expect(renewed).not.toBe(first)
  expect(await read('10.0.0.1', 341)).not.toBe(renewed)
})
