import { expect, test } from 'vitest'
import { sandboxPaths } from '../../sandbox-layout.ts'
import { mountOptions } from './mount-options.ts'

/** The sizes of file systems in memory, by their paths. */
function sizes(memoryBytes: bigint | null): Readonly<Record<string, string | undefined>> {
  const layout = { stateDirectory: '/state', imagesDirectory: '/images', sandboxesDirectory: '/s' }
  const options = mountOptions({
    systemDirectories: [],
    accounts: new Map(),
    files: {
      paths: sandboxPaths(layout, 'uid'),
      runDirectory: '/s/uid/run/one',
      pidFile: '/s/uid/run/one/pid',
      lostFile: '/s/uid/run/one/lost',
      environmentFile: '/s/uid/run/one/environment',
      joinFiles: [],
      programCopies: null,
    },
    volumes: [],
    memoryBytes,
  })
  const mounts = options.flatMap((option, index) => {
    const isSized = options[index - 2] === '--size'
    return option === '--tmpfs'
      ? [[options[index + 1] ?? '', isSized ? options[index - 1] : undefined] as const]
      : []
  })
  return Object.fromEntries(mounts)
}

test('file systems in memory to which a program can write have a size', () => {
  expect(sizes(4096n)).toEqual({
    '/dev': undefined,
    '/dev/shm': '4096',
    '/tmp': '4096',
    '/var/tmp': '4096',
    '/run': '4096',
    '/run/sandbox': undefined,
  })
  expect(Object.values(sizes(null)).filter((size) => size !== undefined)).toEqual([])
})
