import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesAt, repositoryFiles } from './files.ts'
import { findingsIn } from './findings.ts'
import { proseOf } from './prose-of.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Reports bad prose in the given paths; without paths, in every file of the repository. */
async function main(given: readonly string[]): Promise<void> {
  const files = given.length === 0 ? await repositoryFiles(root) : await filesOf(given)
  const lines = (await Promise.all(files.map(reportOn))).flat()
  for (const line of lines) console.log(line)
  if (lines.length === 0) return
  console.error(`${lines.length} findings: CONTRIBUTING.md lists the wording rules`)
  process.exitCode = 1
}

async function filesOf(given: readonly string[]): Promise<readonly string[]> {
  return (await Promise.all(given.map((one) => filesAt(root, one)))).flat()
}

async function reportOn(file: string): Promise<readonly string[]> {
  const source = await readFile(path.join(root, file), 'utf8')
  const passages = proseOf(file, source) ?? []
  return passages.flatMap(findingsIn).map(({ line, words, rule }) => {
    return `${file}:${line}: "${words}": ${rule.suggestion} (${rule.reason})`
  })
}

await main(process.argv.slice(2))
