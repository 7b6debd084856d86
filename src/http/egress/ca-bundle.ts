import { X509Certificate } from 'node:crypto'
import type { JsonValue } from '../../lib/json/json.ts'

const MAX_BYTES = 256 * 1024

/** The PEM text of a `caBundle`, which is in base64; null if there is none. Throws if invalid. */
export function caBundleText(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw new Error('caBundle is not base64')
  const text = Buffer.from(value, 'base64').toString('utf8')
  if (text.length > MAX_BYTES) throw new Error(`caBundle has more than ${MAX_BYTES} bytes`)
  try {
    void new X509Certificate(text)
  } catch (cause) {
    throw new Error('caBundle has no valid PEM certificate', { cause })
  }
  return text
}
