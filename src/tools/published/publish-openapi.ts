import { readFile, writeFile } from 'node:fs/promises'
import { parse, stringify } from 'yaml'
import { type Manifest, manifestOf } from './manifest.ts'
import { ALLOW_REMOVALS, REMOVAL_ADVICE, removalsOf } from './removals.ts'

const DOCUMENT = new URL('../../../openapi/openapi.yaml', import.meta.url)
const MANIFEST = new URL('../../../openapi/published.yaml', import.meta.url)
const HEADER = `# The part of the API that clients of a published version depend on. Tests compare it with
# openapi.yaml. \`npm run publish-openapi\` writes it: docs/openapi.md explains when to run it.
`

/** Publishes the committed document. Refuses removals unless they are explicitly allowed. */
async function main(options: readonly string[]): Promise<void> {
  const current = manifestOf(parse(await readFile(DOCUMENT, 'utf8')))
  const committed = await readFile(MANIFEST, 'utf8')
  const published: Manifest = parse(committed)
  const removals = removalsOf(published, current)
  for (const removal of removals) console.log(`  - ${removal}`)
  if (removals.length > 0 && !options.includes(ALLOW_REMOVALS)) {
    console.error(REMOVAL_ADVICE)
    process.exitCode = 1
    return
  }
  const text = HEADER + stringify(current, { lineWidth: 100, aliasDuplicateObjects: false })
  if (text === committed) {
    console.log('openapi/published.yaml is up to date')
    return
  }
  await writeFile(MANIFEST, text)
  console.log('wrote openapi/published.yaml')
}

await main(process.argv.slice(2))
