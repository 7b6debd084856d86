import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { networkFiles } from './network-files.ts'
import { createNetworkRules } from './network-rules.ts'
import type { NetworkRecord } from './sandbox-networks.ts'

const LOG = { info: () => {}, warn: () => {} }

async function allowingSandbox(address: string): Promise<NetworkRecord> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'network-rules-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const rule = { networks: [], except: [], names: ['moving.test'], ports: [] }
  return { address, name: 'box', directory, policy: { mode: 'Allow', rules: [rule] } }
}

test('a name that moves while a sandbox starts moves for the others too', async () => {
  const attached = new Map<string, NetworkRecord>()
  let current = '198.51.100.1'
  const rules = createNetworkRules({
    router: { run: async () => '' },
    attached,
    resolve: async () => ({ addresses: [current], ttlSeconds: 0 }),
    log: LOG,
  })
  const running = await allowingSandbox('100.65.0.1')
  attached.set(running.address, running)
  await rules.refreshNames()
  current = '198.51.100.2'
  const starting = await allowingSandbox('100.65.0.2')
  attached.set(starting.address, starting)
  await rules.refreshNames()
  await rules.refresh()
  const { hosts } = networkFiles(running.directory)
  expect(await readFile(hosts, 'utf8')).toContain('198.51.100.2 moving.test')
})
