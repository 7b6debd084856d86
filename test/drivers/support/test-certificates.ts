import { createCertificate } from '../../../src/http/server/tls/create-certificate.ts'
import type { TlsMaterial } from '../../../src/sandboxes/drivers/protocol/tls-material.ts'

const DAY_MS = 86_400_000

/** A certificate for 127.0.0.1 and its key, signed by a new authority. */
export async function testCertificates(authorityName: string): Promise<TlsMaterial> {
  const now = Date.now()
  const validity = { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + DAY_MS) }
  const authority = await createCertificate({
    ...validity,
    commonName: authorityName,
    names: ['127.0.0.1'],
    purposes: ['server', 'client'],
    isAuthority: true,
    issuer: null,
  })
  const { cert, key } = await createCertificate({
    ...validity,
    commonName: 'peer',
    names: ['127.0.0.1'],
    purposes: ['server', 'client'],
    isAuthority: false,
    issuer: authority,
  })
  return { ca: authority.cert, cert, key }
}
