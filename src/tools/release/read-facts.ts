import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { unreleasedEntries } from './changelog.ts'
import type { ReleaseFacts } from './release-problems.ts'
import { run } from './run.ts'

/** Reads the state of a clone. */
export async function readFacts(root: string, version: string): Promise<ReleaseFacts> {
  const [manifest, changelog, tags, changes] = await Promise.all([
    readFile(path.join(root, 'package.json'), 'utf8'),
    readFile(path.join(root, 'CHANGELOG.md'), 'utf8'),
    run('git', ['tag', '--list'], { cwd: root }),
    run('git', ['status', '--porcelain'], { cwd: root }),
  ])
  const { version: current, homepage, repository } = JSON.parse(manifest)
  return {
    version,
    current,
    tags: linesOf(tags),
    changes: linesOf(changes),
    entries: unreleasedEntries(changelog),
    homepage: homepage ?? null,
    repository: repository?.url ?? null,
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}
