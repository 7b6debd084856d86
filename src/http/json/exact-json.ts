import { scanJson } from './scan-json.ts'

/** From 2^54 on an integer may be written with zeros in place of its last digits. */
const ROUNDED = /(?:^|[[:,])-?[0-9]{17}/
const INTEGER = /^-?[0-9]{17,}$/

/**
 * The value as JSON, every integer with all its digits. `JSON.stringify` writes the shortest text
 * that reads as the same double: 2^63 would come back as 9223372036854776000, which is another
 * number to whoever reads integers exactly.
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
