import { X509Certificate } from 'node:crypto'
import type { CertificateSource } from './certificate-source.ts'

/** The certificates with which clients verify a server. */
export interface TrustedCertificates {
  /** In PEM format. */
  readonly current: () => string
  /** Calls back after each change, until it is disposed. Callbacks must not throw. */
  readonly follow: (callback: () => void) => Disposable
}

/** Follows the certificates that clients of a server trust. */
export function createTrustedCertificates(source: CertificateSource): TrustedCertificates {
  let current = trustedIn(source.current().cert)
  const followers = new Set<() => void>()
  source.onChange(({ cert }) => {
    const next = trustedIn(cert)
    // A renewed certificate often has the same authority.
    if (next === current) return
    current = next
    for (const follower of followers) follower()
  })
  return {
    current: () => current,
    follow: (callback) => {
      followers.add(callback)
      return { [Symbol.dispose]: () => void followers.delete(callback) }
    },
  }
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/**
 * The authorities in the file of a certificate; the server's own certificate if it has none. A key
 * in the same file is left out.
 */
export function trustedIn(pem: string): string {
  const certificates = (pem.match(BLOCK) ?? [pem]).map((block) => new X509Certificate(block))
  const authorities = certificates.filter(({ ca }) => ca)
  const trusted = authorities.length > 0 ? authorities : certificates.slice(0, 1)
  return trusted.map(String).join('')
}
