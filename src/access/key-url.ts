import { SettingError } from '../lib/setting-error.ts'
import type { KeySource } from './key-source.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 1_048_576

interface Options {
  readonly timeoutMs?: number
  /** The name of the setting with the URL, for messages. */
  readonly setting?: string
}

/** A key set at an HTTP URL. Redirects are not followed, because only this URL is trusted. */
export function keyUrl(
  address: string,
  { timeoutMs = TIMEOUT_MS, setting = 'JWT_JWKS_URL' }: Options = {},
): KeySource {
  const url = parseUrl(address, setting)
  return {
    name: `${setting} (${url.origin}${url.pathname})`,
    required: false,
    read: async (signal) => {
      const controller = new AbortController()
      const stop = (): void => controller.abort(signal.reason)
      const timer = setTimeout(() => {
        controller.abort(new Error(`no complete response within ${timeoutMs} ms`))
      }, timeoutMs)
      signal.addEventListener('abort', stop, { once: true })
      try {
        return await fetchText(url, controller.signal)
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

function parseUrl(address: string, setting: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new SettingError(`${setting}: expected an http or https URL`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new SettingError(`${setting}: a URL with a user name or password is not supported`)
  }
  return url
}

async function fetchText(url: URL, signal: AbortSignal): Promise<string> {
  const headers = { accept: 'application/jwk-set+json, application/json' }
  const response = await fetch(url, { headers, signal, redirect: 'error' })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`expected status 200, found ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new Error(`the response is longer than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
