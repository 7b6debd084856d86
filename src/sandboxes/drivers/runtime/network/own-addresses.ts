import os from 'node:os'

/** The IPv4 addresses of this machine. */
export function ownAddresses(): readonly string[] {
  const all = Object.values(os.networkInterfaces()).flatMap((entries) => entries ?? [])
  const found = all.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
  return [...new Set(found)].toSorted()
}
