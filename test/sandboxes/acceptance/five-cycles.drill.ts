import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { poll } from '../support/poll.ts'
import { HIBERNATE, shellTemplate } from '../support/shell-sandbox.ts'
import { type SandboxServer, startSandboxServer } from '../support/start-sandbox-server.ts'

let fixture: SandboxServer

beforeAll(async () => {
  fixture = await startSandboxServer()
})

afterAll(() => fixture[Symbol.asyncDispose]())

/** Each start counts itself and writes another file. */
const COUNTER = `
  cd "$SANDBOX_WORKSPACE"
  count=$(($(cat count 2>/dev/null || echo 0) + 1))
  seq 1 $((count * 10000)) > file-$count
  echo $count > count
  exec sleep 1000`

const CYCLES = [1, 2, 3, 4, 5]

test('Five suspend and resume cycles with changes in each: counters and hashes are equal.', async () => {
  const { api, sandboxd, waitFor } = fixture
  const { body } = await api.createSandbox('cycles', {
    podTemplate: shellTemplate(COUNTER),
    suspensionStrategy: HIBERNATE,
  })
  const workspace = path.join(sandboxd.directory, 'sandboxes', body.metadata.uid, 'workspace')
  const read = (file: string) => readFile(path.join(workspace, file), 'utf8').catch(() => '')
  const hashOf = async (file: string) =>
    createHash('sha256')
      .update(await read(file))
      .digest('hex')
  const countIs = (count: number) =>
    poll(
      'the count',
      () => read('count'),
      (text) => text.trim() === String(count),
    )
  await waitFor('cycles', 'Ready=True')
  const hashes = new Map<string, string>()
  for (const cycle of CYCLES) {
    await countIs(cycle)
    hashes.set(`file-${cycle}`, await hashOf(`file-${cycle}`))
    await api.patchSandbox('cycles', { spec: { operatingMode: 'Suspended' } })
    await waitFor('cycles', 'Suspended=True/PodTerminated', 'SnapshotReady=True/Created')
    expect(await read('count')).toBe('')
    await api.patchSandbox('cycles', { spec: { operatingMode: 'Running' } })
    const { body: resumed } = await waitFor('cycles', 'Ready=True', 'Restored=True/Restored')
    expect(resumed.status.boot).toBe('RESUME_FS')
    for (const [file, hash] of hashes) expect(await hashOf(file)).toBe(hash)
  }
  await countIs(6)
  expect(new Set(hashes.values()).size).toBe(5)
})
