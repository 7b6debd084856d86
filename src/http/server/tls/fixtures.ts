import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import { type KeyPair, readKeyPair } from './key-pair.ts'
import { selfSignedFiles } from './self-signed.ts'

export const silentLog = pino({ level: 'silent' })

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tls-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A new self-signed pair for the loopback addresses. */
export async function createPair(): Promise<KeyPair> {
  const dataDir = await temporaryFolder()
  const options = { dataDir, host: '127.0.0.1', machine: 'machine', now: new Date() }
  return readKeyPair(await selfSignedFiles(options))
}

interface HttpsAnswer {
  readonly status: number
  readonly text: string
}

/** Sends a GET over a new TLS connection that trusts only the given certificate. */
export function getOverTls(url: string, ca: string): Promise<HttpsAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { ca, agent: false }, (response) => {
      const answer = text(response)
      answer.then((body) => resolve({ status: response.statusCode ?? 0, text: body }), reject)
    })
    request.once('error', reject)
    request.end()
  })
}
