import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Skipped } from '../drill.ts'
import { linkPackages } from '../link-packages.ts'
import { installTool, runTool } from '../run-tool.ts'
import type { ServerVersion } from './balanced-servers.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BUILD = "import { buildIfStale } from './src/tools/build-dist.mjs'; await buildIfStale()"
const TOOL_MS = 120_000
const INSTALL_MS = 300_000

/** The program of an older version, in a folder that is removed in the end. */
export interface ReleasedVersion extends AsyncDisposable {
  readonly commit: string
  readonly version: ServerVersion
  /** The names of its migrations. */
  readonly migrations: readonly string[]
}

/**
 * Builds the last version that was released before this one from the history of this clone: the newest
 * tag, or the commit in `released-version.json` while there is no tag.
 */
export async function buildReleasedVersion(): Promise<ReleasedVersion> {
  const commit = await findCommit()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-released-'))
  try {
    const archive = path.join(folder, 'source.tar')
    await git('archive', '--output', archive, commit)
    await runTool('tar', ['-xf', archive, '-C', folder], { cwd: folder, timeoutMs: TOOL_MS })
    await installPackages(folder)
    const build = ['--input-type=module', '--eval', BUILD]
    await runTool(process.execPath, build, { cwd: folder, timeoutMs: TOOL_MS })
    const listed = await git('ls-tree', '--name-only', `${commit}:prisma/migrations`)
    return {
      commit,
      version: { args: ['dist/cmd/server.js'], cwd: folder },
      migrations: listed.split('\n').filter((name) => /^\d{14}_/.test(name)),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function findCommit(): Promise<string> {
  const recorded = JSON.parse(
    await readFile(new URL('released-version.json', import.meta.url), 'utf8'),
  )
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').catch(
    () => '',
  )
  const commit = tag.trim() || String(recorded.commit)
  await git('cat-file', '-e', `${commit}^{commit}`).catch((cause: unknown) => {
    const reason = `the history of this clone lacks ${commit}: run git fetch --unshallow`
    throw new Skipped(reason, { cause })
  })
  return commit
}

/** Replaces the packages that differ from those of this version. */
async function installPackages(folder: string): Promise<void> {
  await linkPackages(folder)
  const install = ['install', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund']
  await installTool('npm', install, { cwd: folder, timeoutMs: INSTALL_MS })
}

function git(...args: readonly string[]): Promise<string> {
  return runTool('git', args, { cwd: ROOT, timeoutMs: TOOL_MS })
}
