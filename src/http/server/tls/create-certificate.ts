import { randomBytes, type webcrypto, X509Certificate } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'

const { subtle } = globalThis.crypto
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** The numbers of RFC 5280. */
const COMMON_NAME = '2.5.4.3'
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17'
const KEY_USAGE = '2.5.29.15'
const BASIC_CONSTRAINTS = '2.5.29.19'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const PURPOSES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const
/** The first bit is for digital signatures, the sixth for signatures of certificates. */
const DIGITAL_SIGNATURE = 0b1000_0000
const CERTIFICATE_SIGNATURE = 0b0000_0100
const DNS_NAME = 2
const IP_ADDRESS = 7

/** A certificate with its private key. */
export interface CreatedCertificate {
  readonly certificate: pkijs.Certificate
  readonly privateKey: webcrypto.CryptoKey
  /** In PEM, as `key`. */
  readonly cert: string
  readonly key: string
}

interface Options {
  readonly commonName: string
  /** DNS names and IP addresses. */
  readonly names: readonly string[]
  readonly notBefore: Date
  readonly notAfter: Date
  readonly purposes: readonly (keyof typeof PURPOSES)[]
  readonly isAuthority: boolean
  /** The authority that signs the certificate; null for one that signs itself. */
  readonly issuer: CreatedCertificate | null
}

/** Creates a certificate for servers and clients with a new key. */
export async function createCertificate(options: Options): Promise<CreatedCertificate> {
  const { commonName, notBefore, notAfter, issuer } = options
  const { publicKey, privateKey } = await subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = new pkijs.Certificate({
    version: 2,
    serialNumber: new asn1js.Integer({ valueHex: serialNumber() }),
    notBefore: new pkijs.Time({ value: notBefore }),
    notAfter: new pkijs.Time({ value: notAfter }),
    extensions: extensionsOf(options),
  })
  const value = new asn1js.Utf8String({ value: commonName })
  certificate.subject.typesAndValues.push(
    new pkijs.AttributeTypeAndValue({ type: COMMON_NAME, value }),
  )
  certificate.issuer = issuer?.certificate.subject ?? certificate.subject
  await certificate.subjectPublicKeyInfo.importKey(publicKey)
  await certificate.sign(issuer?.privateKey ?? privateKey, 'SHA-256')
  return {
    certificate,
    privateKey,
    cert: new X509Certificate(Buffer.from(certificate.toSchema(true).toBER())).toString().trimEnd(),
    key: pemOf(Buffer.from(await subtle.exportKey('pkcs8', privateKey))),
  }
}

/** A positive number of 16 bytes. */
function serialNumber(): ArrayBuffer {
  const bytes = Uint8Array.from(randomBytes(16))
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes.buffer
}

function extensionsOf({ names, purposes, isAuthority }: Options): pkijs.Extension[] {
  const usage = DIGITAL_SIGNATURE | (isAuthority ? CERTIFICATE_SIGNATURE : 0)
  return [
    extension(BASIC_CONSTRAINTS, true, new pkijs.BasicConstraints({ cA: isAuthority }).toSchema()),
    extension(
      KEY_USAGE,
      true,
      new asn1js.BitString({
        valueHex: Uint8Array.of(usage).buffer,
        // Those after the last bit that is set.
        unusedBits: isAuthority ? 2 : 7,
      }),
    ),
    extension(
      EXTENDED_KEY_USAGE,
      false,
      new pkijs.ExtKeyUsage({
        keyPurposes: purposes.map((purpose) => PURPOSES[purpose]),
      }).toSchema(),
    ),
    extension(
      SUBJECT_ALTERNATIVE_NAME,
      false,
      new pkijs.GeneralNames({ names: names.map(generalName) }).toSchema(),
    ),
  ]
}

function extension(extnID: string, critical: boolean, value: asn1js.BaseBlock): pkijs.Extension {
  return new pkijs.Extension({ extnID, critical, extnValue: value.toBER() })
}

function generalName(name: string): pkijs.GeneralName {
  if (isIP(name) === 0) return new pkijs.GeneralName({ type: DNS_NAME, value: name })
  const value = new asn1js.OctetString({ valueHex: Uint8Array.from(addressBytes(name)).buffer })
  return new pkijs.GeneralName({ type: IP_ADDRESS, value })
}

function addressBytes(address: string): readonly number[] {
  if (isIPv4(address)) return address.split('.').map(Number)
  // A certificate has no zones. The host of a URL has no IPv4 notation.
  const [text = ''] = address.split('%')
  const [before = '', after] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const [head, tail] = [groupsOf(before), groupsOf(after ?? '')]
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0)
  return [...head, ...zeros, ...tail].flatMap((group) => [group >> 8, group & 255])
}

function groupsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

function pemOf(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join('\n')
}
