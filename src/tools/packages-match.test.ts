import { expect, it } from 'vitest'

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly optional?: true
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

type Packages = Readonly<Record<string, Entry>>

const {
  packagesMatch,
}: { packagesMatch: (wanted: Packages, installed: Packages, machine: object) => boolean } =
  await import(new URL('packages-match.mjs', import.meta.url).href)

const machine = { platform: 'linux', arch: 'x64' }
const lock: Packages = {
  '': { version: '1.0.0' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/for-mac': { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] },
  'node_modules/for-linux': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
}
const a = { version: '1.0.0', integrity: 'sha512-a' }
const forLinux = { version: '1.0.0' }

it.each<[string, boolean, Packages]>([
  ['accepts the packages that npm installs on this machine', true, { a, 'for-linux': forLinux }],
  ['detects a missing package', false, { 'for-linux': forLinux }],
  ['detects missing binaries for this machine', false, { a }],
  ['detects another version', false, { a: { ...a, version: '1.0.1' }, 'for-linux': forLinux }],
  ['detects other content', false, { a: { ...a, integrity: 'b' }, 'for-linux': forLinux }],
  ['detects a package that is not in the lock file', false, { a, b: a, 'for-linux': forLinux }],
])('%s', (_, expected, installed) => {
  const places = Object.entries(installed).map(([name, entry]) => [`node_modules/${name}`, entry])
  expect(packagesMatch(lock, Object.fromEntries(places), machine)).toBe(expected)
})
