import { readdir, readFile } from 'node:fs/promises'
import { PLANES_RULES } from './rules.ts'
import { rulesPage } from './rules-page.ts'

/** The fixtures in the test of the generator are not citations. */
const OWN_TEST = 'src/tools/planes-rules/rules-page.test.ts'

/** Generates docs/planes-rules.md from the tests below a root. */
export async function planesRulesPage(root: URL): Promise<string> {
  const files = (
    await Promise.all(['src', 'test'].map((folder) => filesBelow(root, folder)))
  ).flat()
  const texts = files.map(
    async (file) => [file, await readFile(new URL(file, root), 'utf8')] as const,
  )
  return rulesPage(PLANES_RULES, new Map(await Promise.all(texts)))
}

/** All code of `test/`, and the tests of `src/`. */
async function filesBelow(root: URL, folder: string): Promise<readonly string[]> {
  const files = await readdir(new URL(`${folder}/`, root), { recursive: true })
  const ending = folder === 'src' ? '.test.ts' : '.ts'
  return files
    .filter((file) => file.endsWith(ending) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`)
    .filter((file) => file !== OWN_TEST)
    .toSorted()
}
