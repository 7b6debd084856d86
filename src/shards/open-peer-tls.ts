import { readFile } from 'node:fs/promises'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import type { SHARD_SETTINGS } from './shard-settings.ts'
import {
  type CertificateSource,
  openCertificateSource,
} from '../http/server/tls/certificate-source.ts'
import type { Log } from '../lib/log/log.ts'
import { SettingError } from '../lib/setting-error.ts'
import { errorMessage } from '../lib/error-message.ts'

const SETTINGS = { cert: 'tls-cert of SHARD', key: 'tls-key of SHARD' }

/** Mutual TLS between the servers of shards. */
export interface PeerCertificate extends Disposable {
  readonly certificate: CertificateSource
  /** PEM text of the authority of all servers. */
  readonly authority: string
}

/** Opens the certificate for other servers; null unless the settings name one. */
export async function openPeerTls(
  config: ValuesOf<typeof SHARD_SETTINGS>,
  log: Log,
): Promise<PeerCertificate | null> {
  const { shardTlsCertFile: certFile, shardTlsKeyFile: keyFile, shardTlsCaFile: caFile } = config
  if (certFile === null || keyFile === null || caFile === null) return null
  const authority = await readFile(caFile, 'utf8').catch((cause: unknown) => {
    throw new SettingError(`tls-ca of SHARD: ${errorMessage(cause)}`, { cause })
  })
  const certificate = await openCertificateSource(
    { certFile, keyFile },
    { log, settings: SETTINGS },
  )
  return { certificate, authority, [Symbol.dispose]: () => certificate[Symbol.dispose]() }
}
