import type { TlsMaterial } from '../../../src/sandboxes/drivers/protocol/tls-material.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const { subtle } = globalThis.crypto

/** A certificate for 127.0.0.1 and its key, signed by a new authority. */
export async function testCertificates(authorityName: string): Promise<TlsMaterial> {
  // @peculiar/x509 needs reflect-metadata.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage
  const { digitalSignature, keyCertSign } = x509.KeyUsageFlags
  const authorityKeys = await subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${authorityName}`,
    signingAlgorithm: ALGORITHM,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(keyCertSign, true),
    ],
  })
  const keys = await subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=peer',
    issuer: authority.subject,
    signingKey: authorityKeys.privateKey,
    publicKey: keys.publicKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.KeyUsagesExtension(digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([serverAuth, clientAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  })
  const pkcs8 = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey))
  const key = x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')
  return { ca: authority.toString('pem'), cert: certificate.toString('pem'), key }
}
