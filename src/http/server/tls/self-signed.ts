import { randomBytes, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { CreatedCertificate } from './create-certificate.ts'
import type { KeyPairFiles } from './key-pair.ts'

const DAY_MS = 86_400_000
const VALIDITY_MS = 365 * DAY_MS
/** A certificate that expires sooner is replaced. */
const MIN_REMAINING_MS = 30 * DAY_MS
const WILDCARDS = ['0.0.0.0', '::']

interface Options {
  readonly dataDir: string
  /** The address of the listener. */
  readonly host: string
  /** The name of this machine. */
  readonly machine: string
  readonly now: Date
}

/** The files of a self-signed certificate. */
interface SelfSignedFiles extends KeyPairFiles {
  /** The certificate alone, which clients trust. */
  readonly caFile: string
}

/**
 * The self-signed certificate in `DATA_DIR/tls`. It is created if it is missing, about to expire, or
 * made for another address. Certificate and key share one file, so that they are replaced together.
 */
export async function selfSignedFiles(options: Options): Promise<SelfSignedFiles> {
  const folder = join(options.dataDir, 'tls')
  const pairFile = join(folder, 'self-signed.pem')
  const files = { certFile: pairFile, keyFile: pairFile, caFile: join(folder, 'ca.crt') }
  const names = namesOf(options)
  if (await isUsable(pairFile, names, options.now)) return files
  const { cert, key } = await createSelfSigned(names, options.now)
  await mkdir(folder, { recursive: true, mode: 0o755 })
  await replaceFile(pairFile, `${cert}\n${key}\n`, 0o600)
  await replaceFile(files.caFile, `${cert}\n`, 0o644)
  return files
}

function namesOf({ host, machine }: Options): readonly string[] {
  const own = WILDCARDS.includes(host) ? [] : [host]
  return [...new Set(['localhost', '127.0.0.1', '::1', ...own, machine])]
}

async function isUsable(file: string, names: readonly string[], now: Date): Promise<boolean> {
  try {
    const certificate = new X509Certificate(await readFile(file))
    const remaining = Date.parse(certificate.validTo) - now.getTime()
    if (remaining < MIN_REMAINING_MS) return false
    return names.every((name) =>
      isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name),
    )
  } catch {
    return false
  }
}

/** The packages are loaded only if a certificate must be created. */
async function createSelfSigned(names: readonly string[], now: Date): Promise<CreatedCertificate> {
  const { createCertificate } = await import('./create-certificate.ts')
  return createCertificate({
    // Distinct subjects: some clients confuse two authorities of the same name.
    commonName: `flotilla-${randomBytes(4).toString('hex')}`,
    names,
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + VALIDITY_MS),
    purposes: ['server'],
    isAuthority: true,
    issuer: null,
  })
}

/** Replaces a file atomically: readers see the old or the new text. */
async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, text, { mode, flag: 'wx', flush: true })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
