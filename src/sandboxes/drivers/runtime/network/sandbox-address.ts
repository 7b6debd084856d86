import { createHash } from 'node:crypto'
import { must } from 'flotilla'

const FIRST = 0x6441_0000
/** Sandboxes have 100.65.0.0 to 100.127.255.255, of which the first is never used. */
const SIZE = 0x3f_0000

/**
 * The address of a sandbox. It follows from the uid, so that a sandbox usually keeps its address
 * over suspends, and sandboxes of several machines rarely share one. Addresses in use are skipped.
 */
export function sandboxAddress(uid: string, used: ReadonlySet<string>): string {
  const start = createHash('sha256').update(uid).digest().readUInt32BE()
  for (let offset = 0; offset < SIZE; offset += 1) {
    const position = (start + offset) % SIZE
    const address = formatAddress(FIRST + position)
    if (position !== 0 && !used.has(address)) return address
  }
  return must<string>(undefined, 'a free address')
}

/** The suffix of the names of a sandbox's interface and namespace. */
export function addressKey(address: string): string {
  return address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')
}

function formatAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.')
}
