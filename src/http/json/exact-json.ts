import { scanJson } from './scan-json.ts'

/** From 2^54 on, JSON.stringify may replace the last digits of an integer with zeros. */
const ROUNDED = /(?:^|[[:,])-?[0-9]{17}/
const INTEGER = /^-?[0-9]{17,}$/

/**
 * Serializes a value with all digits of every integer. `JSON.stringify` writes the shortest text for
 * a double: 2^63 becomes 9223372036854776000, which is a different number for clients that parse
 * integers exactly.
 */
export function exactJson(value: unknown): string {
  const text = JSON.stringify(value)
  if (!ROUNDED.test(text)) return text
  const pieces: string[] = []
  let copied = 0
  scanJson(text, (token, start, end) => {
    const literal = token === 'number' ? text.slice(start, end) : ''
    if (!INTEGER.test(literal)) return
    pieces.push(text.slice(copied, start), String(BigInt(Number(literal))))
    copied = end
  })
  return pieces.join('') + text.slice(copied)
}
