import { readFile } from 'node:fs/promises'
import type { TlsMaterial } from '../drivers/protocol/tls-material.ts'

/** The files for mutual TLS between servers and `flotilla sandboxd`. */
interface TlsFiles {
  readonly sandboxdTlsCaFile: string | null
  readonly sandboxdTlsCertFile: string | null
  readonly sandboxdTlsKeyFile: string | null
}

/** Reads the certificates; null unless all three files are set. */
export async function readSandboxdTls(files: TlsFiles): Promise<TlsMaterial | null> {
  const { sandboxdTlsCaFile, sandboxdTlsCertFile, sandboxdTlsKeyFile } = files
  if (!sandboxdTlsCaFile || !sandboxdTlsCertFile || !sandboxdTlsKeyFile) return null
  return {
    ca: await readFile(sandboxdTlsCaFile),
    cert: await readFile(sandboxdTlsCertFile),
    key: await readFile(sandboxdTlsKeyFile),
  }
}
