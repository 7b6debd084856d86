import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesAt, repositoryFiles } from './files.ts'
import { findingsIn } from './findings.ts'
import { PENDING } from './pending.ts'
import { proseOf } from './prose-of.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Reports bad prose in the given paths; without paths, in every file that is not pending. */
async function main(given: readonly string[]): Promise<void> {
  const files = given.length === 0 ? await checkedFiles() : await filesOf(given)
  const lines = (await Promise.all(files.map(reportOn))).flat()
  for (const line of lines) console.log(line)
  if (lines.length === 0) return
  console.error(`${lines.length} findings: CONTRIBUTING.md lists the wording rules`)
  process.exitCode = 1
}

async function checkedFiles(): Promise<readonly string[]> {
  const isPending = (file: string) =>
    PENDING.some((pending) => (pending.endsWith('/') ? file.startsWith(pending) : file === pending))
  return (await repositoryFiles(root)).filter((file) => !isPending(file))
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
