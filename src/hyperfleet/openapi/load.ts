import { readFile } from 'node:fs/promises'
import { CORE_SCHEMA, load } from 'js-yaml'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { lazy } from '../../lib/lazy.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { formatPath } from '../../lib/json/field-path.ts'
import type { Kind } from '../../store/registry/kind.ts'
import { specSchemaProblems } from '../../store/registry/spec-schema-problems.ts'
import type { OpenapiPart } from '../../capability/capability.ts'
import type { BaseDocument, DocumentAddition, DocumentPart } from './compose.ts'

/** An OpenAPI file that cannot be used; the message lists every problem. */
export class OpenapiFileError extends Error {
  override readonly name = 'OpenapiFileError'
}

/** Files by their text. */
const PARSED = new BoundedMap<DocumentAddition>(16)

/** Reads the base of an API's document. */
export async function loadBase(file: URL): Promise<BaseDocument> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of this repository
  return (await loadYaml(file)) as BaseDocument
}

/** Reads what capabilities add to the document. */
export function loadParts(parts: readonly OpenapiPart[]): Promise<readonly DocumentPart[]> {
  return Promise.all(
    parts.map(async ({ file, ...part }) => ({ ...part, content: await loadYaml(file) })),
  )
}

/** Servers of one process share the files: to parse all takes 50 ms. */
async function loadYaml(file: URL): Promise<DocumentAddition> {
  const text = await readFile(file, 'utf8')
  const content: DocumentAddition = PARSED.get(text) ?? JSON.parse(await jsonOf(text))
  PARSED.set(text, content)
  return content
}

/**
 * Loads the spec schema of each kind with all references resolved. A `<Kind>Spec` in `overrideFile`
 * (OPENAPI_SCHEMA_PATH) replaces the kind's own schema.
 */
export async function loadSpecSchemas(
  kinds: readonly Kind[],
  overrideFile: string | null,
): Promise<ReadonlyMap<string, JsonObject>> {
  const overrides = overrideFile === null ? {} : await overrideSchemas(overrideFile, kinds)
  const entries = kinds.map(async (kind): Promise<[string, JsonObject][]> => {
    const schema = overrides[`${kind.kind}Spec`] ?? (await ownSchema(kind))
    return schema ? [[kind.kind, schema]] : []
  })
  return new Map((await Promise.all(entries)).flat())
}

async function ownSchema({ kind, spec }: Kind): Promise<JsonObject | undefined> {
  if (!(spec instanceof URL)) return spec
  const file: OpenapiFile = JSON.parse(await jsonOf(await readFile(spec, 'utf8')))
  return file.components?.schemas?.[`${kind}Spec`]
}

/**
 * The JSON of a YAML file of this repository. While its code is cold, the package `yaml`, which reads
 * the YAML of callers with its positions, needs seven times as long: 0.4 s at each start.
 */
async function jsonOf(yaml: string): Promise<string> {
  return (await builtJson()).get(yaml) ?? JSON.stringify(load(yaml, { schema: CORE_SCHEMA }))
}

/** The JSON of YAML texts, which the build has written. Empty in development. */
const builtJson = lazy(async (): Promise<ReadonlyMap<string, string>> => {
  const file = new URL('../../yaml-files.json', import.meta.url)
  const entries: readonly [string, string][] = JSON.parse(
    await readFile(file, 'utf8').catch(() => '[]'),
  )
  return new Map(entries)
})

interface OpenapiFile {
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonObject>> }
}

async function overrideSchemas(
  file: string,
  kinds: readonly Kind[],
): Promise<Readonly<Record<string, JsonObject>>> {
  const problem = (message: string): OpenapiFileError =>
    new OpenapiFileError(`OPENAPI_SCHEMA_PATH '${file}' cannot be used:\n${message}`)
  let document: OpenapiFile
  try {
    // A large package, so it is loaded only if it is needed.
    const { default: SwaggerParser } = await import('@apidevtools/swagger-parser')
    const api = await SwaggerParser.validate(file, { dereference: { circular: false } })
    document = JSON.parse(JSON.stringify(api))
  } catch (error) {
    throw problem(`  - ${errorMessage(error)}`)
  }
  const schemas = document.components?.schemas ?? {}
  const names = kinds.map((kind) => `${kind.kind}Spec`)
  const problems = names.flatMap((name) => {
    const schema = schemas[name]
    if (schema === undefined) return []
    return specSchemaProblems(schema).map(({ path, text }) => {
      return `  - ${formatPath([name, ...path])} ${text}`
    })
  })
  if (!names.some((name) => name in schemas)) {
    problems.push(`  - none of the components ${names.join(', ')} exists`)
  }
  if (problems.length > 0) throw problem(problems.join('\n'))
  return schemas
}
