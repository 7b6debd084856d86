import { errorMessage } from '../../../lib/error-message.ts'
import { SettingError } from '../../../lib/setting-error.ts'
import type { Log } from '../../../lib/log/log.ts'
import { describeCertificate, type KeyPair, type KeyPairFiles, readKeyPair } from './key-pair.ts'

/** The current certificate of a server. */
export interface CertificateSource extends Disposable {
  current(): KeyPair
  /** Calls back with each new pair. Callbacks must not throw. */
  onChange(callback: (pair: KeyPair) => void): void
}

interface Options {
  readonly log: Log
  /** The names of the settings of the files, for messages. */
  readonly settings?: { readonly cert: string; readonly key: string }
  /** Time between two readings of the files. */
  readonly intervalMs?: number
}

const INTERVAL_MS = 2000
const API_SETTINGS = { cert: 'cert of TLS', key: 'key of TLS' }

/**
 * Reads a pair from files, and again whenever they change. The files are compared by content at an
 * interval, because notifications of the file system miss the symlink swaps of mounted secrets. An
 * unusable new pair is logged, and the old one stays in use. Rejects if the first pair is unusable.
 */
export async function openCertificateSource(
  files: KeyPairFiles,
  { log, settings = API_SETTINGS, intervalMs = INTERVAL_MS }: Options,
): Promise<CertificateSource> {
  let pair = await readFirst(files, settings)
  let problem = ''
  let isReading = false
  const callbacks: ((pair: KeyPair) => void)[] = []
  log.info(describeCertificate(pair), 'loaded the TLS certificate')

  async function reload(): Promise<void> {
    if (isReading) return
    isReading = true
    try {
      const next = await readKeyPair(files)
      problem = ''
      if (next.cert === pair.cert && next.key === pair.key) return
      pair = next
      log.info(describeCertificate(pair), 'reloaded the TLS certificate')
      for (const callback of callbacks) callback(pair)
    } catch (error) {
      const detail = errorMessage(error)
      if (detail === problem) return
      problem = detail
      log.warn({ err: error }, 'the new TLS certificate is unusable: the old one stays in use')
    } finally {
      isReading = false
    }
  }

  const timer = setInterval(() => void reload(), intervalMs)
  timer.unref()
  return {
    current: () => pair,
    onChange: (callback) => void callbacks.push(callback),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

async function readFirst(
  files: KeyPairFiles,
  { cert, key }: NonNullable<Options['settings']>,
): Promise<KeyPair> {
  try {
    return await readKeyPair(files)
  } catch (cause) {
    const names = `${cert} ${files.certFile}, ${key} ${files.keyFile}`
    throw new SettingError(`${names}: ${errorMessage(cause)}`, { cause })
  }
}
