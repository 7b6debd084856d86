import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The first existing one is compared with. */
const MAIN_BRANCHES = ['origin/HEAD', 'origin/main', 'main']

/** The files that differ from the main branch. */
export interface ChangedFiles {
  readonly branch: string
  /** By path from the root, sorted; also removed ones. */
  readonly files: readonly string[]
}

/**
 * The files of a repository that differ from the merge base with its main branch, with uncommitted
 * and untracked ones. Returns the reason as text if git cannot say.
 */
export async function changedFiles(root: string): Promise<ChangedFiles | string> {
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', args, { cwd: root, maxBuffer: 2 ** 26 })).stdout
  const prefix = await git('rev-parse', '--show-prefix').catch(() => null)
  if (prefix === null) return 'git is missing, or this folder is not a repository'
  // Paths of `git diff` start at the root of the repository, which would be another folder.
  if (prefix.trim() !== '') return 'this folder is not the root of its repository'
  for (const branch of MAIN_BRANCHES) {
    const base = await git('merge-base', 'HEAD', branch).catch(() => null)
    if (base === null) continue
    const [tracked, untracked] = await Promise.all([
      git('diff', '--name-only', '--no-renames', '-z', base.trim()),
      git('ls-files', '--others', '--exclude-standard', '-z'),
    ])
    const files = (tracked + untracked).split('\0').filter((file) => file !== '')
    return { branch, files: [...new Set(files)].toSorted() }
  }
  return `none of the branches ${MAIN_BRANCHES.join(', ')} has a commit in common with this one`
}
