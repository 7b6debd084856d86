import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { X509Certificate } from 'node:crypto'

/** The files of a certificate and its private key, in PEM format. */
export interface KeyPairFiles {
  /** The server's certificate first, then its intermediates. */
  readonly certFile: string
  readonly keyFile: string
}

/** A certificate chain and its private key, in PEM format. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

/** Reads a pair. Rejects unless the files hold a certificate and its own key. */
export async function readKeyPair({ certFile, keyFile }: KeyPairFiles): Promise<KeyPair> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
  // A file is empty while a program writes it, and a context without a certificate is valid.
  if (cert.trim() === '') throw new Error('the file of the certificate is empty')
  if (key.trim() === '') throw new Error('the file of the key is empty')
  // Throws if the texts are not PEM, or if the key belongs to another certificate.
  createSecureContext({ cert, key })
  return { cert, key }
}

/** The subject, expiry and fingerprint of a certificate, for the log. */
export function describeCertificate({ cert }: KeyPair): Readonly<Record<string, string>> {
  const { subject, validTo, fingerprint256 } = new X509Certificate(cert)
  return { subject, valid_to: validTo, fingerprint: fingerprint256 }
}
