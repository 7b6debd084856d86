import { lstat, readlink } from 'node:fs/promises'

/** A directory or file of the system: with programs and libraries, without data of the machine. */
export interface SystemDirectory {
  /** The path in the sandbox. */
  readonly path: string
  /** The path on the machine. */
  readonly source: string
  /** The target if it is a link, as `/bin` is on most systems. */
  readonly link: string | null
}

const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/**
 * Configuration that programs need and that every machine may show: certificates, the loader's
 * cache, alternatives, names of protocols, the time zone.
 */
const CONFIGURATION = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ca-certificates.conf',
  '/etc/gai.conf',
  '/etc/host.conf',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/magic',
  '/etc/mime.types',
  '/etc/os-release',
  '/etc/perl',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/certs',
  '/etc/protocols',
  '/etc/python3',
  '/etc/rpc',
  '/etc/services',
  '/etc/shells',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/timezone',
]

/** The parts of the machine's system that sandboxes see, without those that do not exist. */
export async function systemDirectories(): Promise<readonly SystemDirectory[]> {
  const found = await Promise.all([...PROGRAMS, ...CONFIGURATION].map(inspect))
  return found.filter((each) => each !== null)
}

async function inspect(path: string): Promise<SystemDirectory | null> {
  try {
    const isLink = (await lstat(path)).isSymbolicLink()
    return { path, source: path, link: isLink ? await readlink(path) : null }
  } catch {
    return null
  }
}
