import { mkdir, readFile, writeFile } from 'node:fs/promises'
import SwaggerParser from '@apidevtools/swagger-parser'
import type { Capability } from '../capability/capability.ts'
import { CAPABILITIES } from '../cmd/capabilities.ts'
import { createRegistry } from '../store/registry/registry.ts'
import { composeOpenapi } from '../hyperfleet/openapi/compose.ts'
import { loadBase, loadParts, loadSpecSchemas } from '../hyperfleet/openapi/load.ts'
import { openapi30 } from '../hyperfleet/openapi/openapi-30.ts'
import { openapiYaml } from '../hyperfleet/openapi/routes.ts'
import { kinds } from '../hyperfleet/kinds/index.ts'
import { composeKplane } from '../fleets/openapi/compose-kplane.ts'
import { configurationPage } from './configuration-page.ts'
import { errorsPage } from './errors-page.ts'
import { libraryPages } from './library-reference/library-pages.ts'
import { listParametersPage } from './list-parameters-page.ts'
import { planesPage } from './planes-differences/differences-section.ts'
import { planesRulesPage } from './planes-rules/planes-rules-page.ts'
import { sandboxAttacksPage } from './sandbox-attacks-page.ts'
import { searchCompatibilityPage } from './search-compatibility/search-compatibility-page.ts'
import { supportPage } from './support/support-page.ts'
import { synchronousFiles } from './python-sync/synchronous-files.ts'
import { typescriptPage } from './sdk-reference/typescript-page.ts'
import { sdkFiles } from './sdk-types/sdk-files.ts'
import { BASE_PATH } from '../hyperfleet/paths/base-path.ts'

const root = new URL('../../', import.meta.url)

/** The current content of every generated file in the repository, by path. */
async function generated(): Promise<ReadonlyMap<string, string>> {
  const specSchemas = await loadSpecSchemas(kinds, null)
  const registry = createRegistry({
    hrefBase: BASE_PATH,
    kinds,
    specSchemas,
    requiredAdapters: new Map(),
  })
  const base = await loadBase(new URL('openapi/base.yaml', root))
  const openapi = CAPABILITIES.flatMap((capability: Capability) => capability.openapi ?? [])
  const document = composeOpenapi(base, registry, await loadParts(openapi))
  const kplane = composeKplane(await loadBase(new URL('openapi/kplane-base.yaml', root)))
  for (const one of [document, openapi30(document), kplane]) {
    await SwaggerParser.validate(JSON.parse(JSON.stringify(one)))
  }
  return new Map([
    ['openapi/openapi.yaml', openapiYaml(document)],
    ['openapi/kplane.yaml', openapiYaml(kplane)],
    ['docs/configuration.md', configurationPage(kinds)],
    ['docs/errors.md', errorsPage()],
    ['docs/list-parameters.md', listParametersPage()],
    ['docs/planes.md', await planesPage(root)],
    ['docs/planes-rules.md', await planesRulesPage(root)],
    ['docs/sandbox-attacks.md', sandboxAttacksPage()],
    ['docs/search-compatibility.md', searchCompatibilityPage()],
    ['docs/sdk/typescript.md', await typescriptPage()],
    ['docs/versioning.md', await supportPage(root)],
    ...(await libraryPages()),
    ...sdkFiles({ hyperfleet: document, kplane }),
    ['clients/python/src/flotilla/kplane.yaml', openapiYaml(kplane)],
    ...(await synchronousFiles(root)),
  ])
}

/** Writes the generated files. With `--check`, lists the stale ones and fails instead. */
async function main(): Promise<void> {
  const check = process.argv.includes('--check')
  for (const [file, content] of await generated()) {
    const url = new URL(file, root)
    const current = await readFile(url, 'utf8').catch(() => null)
    if (current === content) continue
    if (check) {
      process.exitCode = 1
      console.error(`${file} is stale: run npm run openapi`)
    } else {
      await mkdir(new URL('.', url), { recursive: true })
      await writeFile(url, content)
      console.log(`wrote ${file}`)
    }
  }
}

await main()
