import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { errorMessage } from '../../../lib/error-message.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { Kind } from '../../registry/kind.ts'
import type { BaseDocument } from './compose.ts'

/** An OpenAPI file that cannot be used; the message lists every problem. */
export class OpenapiFileError extends Error {
  override readonly name = 'OpenapiFileError'
}

/** The base of the API's document. */
export async function loadBase(file: URL): Promise<BaseDocument> {
  return parse(await readFile(file, 'utf8'))
}

/**
 * The spec schema of each kind: its own file's `<Kind>Spec`, or the one of `overrideFile`
 * (OPENAPI_SCHEMA_PATH) where that has it, with all references resolved.
 */
export async function loadSpecSchemas(
  kinds: readonly Kind[],
  overrideFile: string | null,
): Promise<ReadonlyMap<string, JsonObject>> {
  const overrides = overrideFile === null ? {} : await overrideSchemas(overrideFile, kinds)
  const entries = kinds.map(async (kind): Promise<[string, JsonObject][]> => {
    const name = `${kind.kind}Spec`
    const own: Partial<OpenapiFile> = parse(await readFile(kind.spec, 'utf8'))
    const schema = overrides[name] ?? own.components?.schemas?.[name]
    return schema ? [[kind.kind, schema]] : []
  })
  return new Map((await Promise.all(entries)).flat())
}

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
    // Loaded only where it is needed: it is not small.
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
    return schema['type'] === 'object' ? [] : [`  - ${name} must have type: object`]
  })
  if (!names.some((name) => name in schemas)) {
    problems.push(`  - none of the components ${names.join(', ')} is there`)
  }
  if (problems.length > 0) throw problem(problems.join('\n'))
  return schemas
}
