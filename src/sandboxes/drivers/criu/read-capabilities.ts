import { readFile } from 'node:fs/promises'

/** The numbers of the capabilities that this process may use. */
export async function readCapabilities(): Promise<readonly number[]> {
  return parseCapabilities(await readFile('/proc/self/status', 'utf8'))
}

/** Reads the permitted capabilities from the content of a `status` file of /proc. */
export function parseCapabilities(status: string): readonly number[] {
  const [, hex = '0'] = /^CapPrm:\s*([0-9a-f]+)$/m.exec(status) ?? []
  const bits = BigInt(`0x${hex}`)
  return Array.from({ length: 64 }, (_, number) => number).filter(
    (number) => ((bits >> BigInt(number)) & 1n) === 1n,
  )
}
