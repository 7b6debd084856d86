import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildahIn, buildBase, missingForImages } from '../../process/unpacked-image.ts'
import { linkPackages } from '../link-packages.ts'
import { runTool } from '../run-tool.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const VERSION = '999.0.0'
const TIMEOUT_MS = 3_600_000
/** A folder of artefacts, such as `release/0.2.0`, which then is not built. */
const VARIABLE = 'FLOTILLA_RELEASE'

/** The artefacts of the release command. */
export interface BuiltRelease extends AsyncDisposable {
  /** The folder with `SHA256SUMS`. */
  readonly folder: string
  readonly version: string
}

/** Makes a release in a clone of the committed files. */
export async function buildRelease(): Promise<BuiltRelease> {
  const given = process.env[VARIABLE]
  if (given !== undefined) {
    const folder = path.resolve(given)
    return {
      folder,
      version: path.basename(folder),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
  }
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'flotilla-release-drill-'))
  const dispose = () => rm(scratch, { recursive: true, force: true })
  try {
    const clone = path.join(scratch, 'clone')
    await cloneWithAddresses(clone)
    const env = await localStorage(scratch)
    const release = ['run', 'release', '--', VERSION]
    console.log(await runTool('npm', release, { cwd: clone, timeoutMs: TIMEOUT_MS, env }))
    const folder = path.join(clone, 'release', VERSION)
    return { folder, version: VERSION, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** A clone with the addresses of a publisher and an entry in the changelog. */
async function cloneWithAddresses(clone: string): Promise<void> {
  const git = (...args: readonly string[]) =>
    runTool('git', args, { cwd: ROOT, timeoutMs: TIMEOUT_MS })
  await git('clone', '--quiet', '--no-tags', ROOT, clone)
  await linkPackages(clone)
  const manifest = path.join(clone, 'package.json')
  const addresses = {
    homepage: 'https://flotilla.example.org',
    repository: { type: 'git', url: 'git+https://git.example.org/fleet/flotilla.git' },
  }
  const changed = { ...JSON.parse(await readFile(manifest, 'utf8')), ...addresses }
  await writeFile(manifest, `${JSON.stringify(changed, null, 2)}\n`)
  const changelog = path.join(clone, 'CHANGELOG.md')
  const text = await readFile(changelog, 'utf8')
  const entry = '## [Unreleased]\n\n### Added\n\n- The rehearsal of a release.\n'
  await writeFile(changelog, text.replace('## [Unreleased]\n', entry))
  await git('-C', clone, 'config', 'user.name', 'Drill')
  await git('-C', clone, 'config', 'user.email', 'drill@example.org')
  await git('-C', clone, 'commit', '--quiet', '--all', '--message', 'Set addresses')
}

/**
 * The environment in which buildah finds the base image in a local storage: the registry of the base
 * may be out of reach, so this machine's Node and essential packages take its place.
 */
async function localStorage(scratch: string): Promise<NodeJS.ProcessEnv> {
  if ((await missingForImages()) !== null) return {}
  const storage = path.join(scratch, 'storage.conf')
  const folders = [`graphroot = "${scratch}/storage"`, `runroot = "${scratch}/run"`]
  await writeFile(storage, ['[storage]', 'driver = "overlay"', ...folders, ''].join('\n'))
  const cache = (
    await runTool('npm', ['config', 'get', 'cache'], { cwd: ROOT, timeoutMs: TIMEOUT_MS })
  ).trim()
  await mkdir(cache, { recursive: true })
  const containers = path.join(scratch, 'containers.conf')
  await writeFile(containers, `[containers]\nvolumes = ["${cache}:/npm-cache"]\n`)
  await buildBase(buildahIn(scratch))
  return { CONTAINERS_STORAGE_CONF: storage, CONTAINERS_CONF: containers }
}
