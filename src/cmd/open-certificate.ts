import { hostname } from 'node:os'
import type { Config } from './config.ts'
import {
  type CertificateSource,
  openCertificateSource,
} from '../http/server/tls/certificate-source.ts'
import type { KeyPairFiles } from '../http/server/tls/key-pair.ts'
import { selfSignedFiles } from '../http/server/tls/self-signed.ts'
import type { Log } from '../lib/log/log.ts'

type TlsSettings = Pick<
  Config,
  'tlsCertFile' | 'tlsKeyFile' | 'tlsSelfSigned' | 'dataDir' | 'host' | 'role'
>

/**
 * The certificate that the settings select; null if the API is served over plain HTTP, or if the
 * files are missing in a process that does not serve it.
 */
export async function openCertificate(
  settings: TlsSettings,
  log: Log,
): Promise<CertificateSource | null> {
  const files = await certificateFiles(settings, log)
  if (files === null) return null
  try {
    return await openCertificateSource(files, { log })
  } catch (error) {
    if (settings.role !== 'controllers') throw error
    log.warn({ err: error }, 'without a certificate, this process does not repair kube-root-ca.crt')
    return null
  }
}

async function certificateFiles(settings: TlsSettings, log: Log): Promise<KeyPairFiles | null> {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, tlsSelfSigned, dataDir, host } = settings
  if (certFile !== null && keyFile !== null) return { certFile, keyFile }
  if (!tlsSelfSigned) return null
  const files = await selfSignedFiles({ dataDir, host, machine: hostname(), now: new Date() })
  log.info({ ca_file: files.caFile }, 'serving a self-signed certificate')
  return files
}
