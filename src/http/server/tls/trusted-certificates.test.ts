import { expect, test } from 'vitest'
import { createPair } from './fixtures.ts'
import type { KeyPair } from './key-pair.ts'
import { createTrustedCertificates } from './trusted-certificates.ts'

/** A certificate of a server that an authority has signed: `cA` is false. */
const LEAF = `-----BEGIN CERTIFICATE-----
MIIBbTCCAROgAwIBAgIUHYAD41pIz7AjMEgc3+FXjNsO56kwCgYIKoZIzj0EAwIw
DTELMAkGA1UEAwwCY2EwIBcNMjYxMTI5MTI0NTE3WhgPMjEyNjExMDUxMjQ1MTda
MA8xDTALBgNVBAMMBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ52roU
/83SLSpdCDxyv4galcRX68txicpifMYI4IOyPbPLOY+VDDA8moQ/qxWeFB9m+/+R
h8mfV9EMGtgLcWwMo00wSzAJBgNVHRMEAjAAMB0GA1UdDgQWBBQ0q1MSrU4d5nBw
llrnCErFAKxUQDAfBgNVHSMEGDAWgBQqAb4k9cf8tkTBTq8bJnQLbo7rrzAKBggq
hkjOPQQDAgNIADBFAiB2bdwtdR/QATzfSsSFf5hPbbc4Sl6HKoFKDMeqEXg8FAIh
ALfewkRPSWQAKGdgwyzmBHVoFUyDiKnOaqblSRQ4sDU/
-----END CERTIFICATE-----
`

function sourceOf(pair: KeyPair) {
  const callbacks: ((next: KeyPair) => void)[] = []
  return {
    current: () => pair,
    onChange: (callback: (next: KeyPair) => void) => void callbacks.push(callback),
    [Symbol.dispose]: () => undefined,
    change: (cert: string) => callbacks.forEach((callback) => callback({ ...pair, cert })),
  }
}

test('are the authorities in the file, or the only certificate, without a key', async () => {
  // The file of a self-signed certificate also holds its key.
  const pair = await createPair()
  const [authority = '', privateKey = ''] = pair.cert.split(/\n(?=-----BEGIN PRIVATE)/)
  const trusted = (cert: string) => createTrustedCertificates(sourceOf({ ...pair, cert })).current()
  expect(trusted(`${LEAF}${pair.cert}`)).toBe(`${authority}\n`)
  expect(trusted(`${LEAF}${privateKey}`)).toBe(LEAF)
})

test('call followers back if another authority has signed a new certificate', async () => {
  const { cert, key } = await createPair()
  const source = sourceOf({ cert, key })
  const certificates = createTrustedCertificates(source)
  let calls = 0
  const following = certificates.follow(() => {
    calls += 1
  })
  source.change(`${LEAF}${cert}`)
  expect(calls).toBe(0)
  source.change(LEAF)
  expect(calls).toBe(1)
  expect(certificates.current()).toBe(LEAF)
  following[Symbol.dispose]()
  source.change(cert)
  expect(calls).toBe(1)
})
