import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { withAbsoluteLinks } from './absolute-links.ts'
import { run } from './run.ts'
import { sourceUrl } from './version-files.ts'

/** The committed files of a tag, built, in a folder that is removed in the end. */
export interface Stage extends AsyncDisposable {
  readonly folder: string
  /** For files of a temporary kind. */
  readonly scratch: string
  readonly version: string
  readonly commit: string
  /** The time of the commit in seconds, which all artefacts show as theirs. */
  readonly time: string
}

const READMES = ['README.md', 'clients/typescript/README.md', 'clients/python/README.md']

/** Checks out a tag and builds it with the packages of the lock file. */
export async function createStage(root: string, version: string): Promise<Stage> {
  const tag = `v${version}`
  const git = async (...args: readonly string[]) => (await run('git', args, { cwd: root })).trim()
  const [commit = '', time = ''] = (await git('show', '-s', '--format=%H %ct', `${tag}^{}`)).split(
    ' ',
  )
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'flotilla-release-'))
  const folder = path.join(scratch, 'flotilla')
  const stage = {
    folder,
    scratch,
    version,
    commit,
    time,
    [Symbol.asyncDispose]: () => rm(scratch, { recursive: true, force: true }),
  }
  try {
    await mkdir(folder)
    const archive = path.join(scratch, 'source.tar')
    await git('archive', '--output', archive, commit)
    await run('tar', ['-xf', archive, '-C', folder], { cwd: scratch })
    await addAbsoluteLinks(folder, tag)
    const install = ['ci', '--include=dev', '--prefer-offline', '--no-progress']
    await run('npm', install, { cwd: folder })
    await run(process.execPath, ['src/tools/build.mjs'], { cwd: folder })
    return stage
  } catch (error) {
    await stage[Symbol.asyncDispose]()
    throw error
  }
}

/** Registries show the READMEs outside of the repository. */
async function addAbsoluteLinks(folder: string, tag: string): Promise<void> {
  const { repository } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  const base = `${sourceUrl(repository.url)}/blob/${tag}`
  for (const file of READMES) {
    const page = await readFile(path.join(folder, file), 'utf8')
    const links = withAbsoluteLinks(page, base, path.dirname(file))
    await writeFile(path.join(folder, file), links)
  }
}
