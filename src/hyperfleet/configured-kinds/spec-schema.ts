import path from 'node:path'
import {
  type SchemaProblem,
  schemaProblems,
  specSchemaProblems,
} from '../../store/registry/spec-schema-problems.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { type FieldPath, formatPath } from '../../lib/json/field-path.ts'
import { quoteValue } from '../../lib/json/quote-value.ts'
import { KindsFileError } from './kinds-file-error.ts'
import type { FileValue } from './file-value.ts'
import { resolveReferences } from './resolve-references.ts'
import { withoutIdentity } from './without-identity.ts'
import { readYamlFile } from './yaml-file.ts'

/** A schema and its document. */
interface Found {
  readonly root: JsonObject
  /** The schema's path in the root. */
  readonly steps: readonly string[]
  readonly schema: JsonObject
  /** The folder that relative references start from. */
  readonly folder: string
  readonly report: (problem: SchemaProblem) => void
}

/**
 * The schema that `spec_schema` of a kind contains or names, in the form of the API's document.
 * Undefined if it is unusable; the problem is reported.
 */
export async function readSpecSchema(
  kind: string,
  source: FileValue,
  file: string,
): Promise<JsonObject | undefined> {
  const { value, path: at, report } = source
  const folder = path.dirname(file)
  if (isJsonObject(value)) {
    return usable({
      root: value,
      steps: [],
      schema: value,
      folder,
      report: (problem) => report([...at, ...problem.path], problem.text),
    })
  }
  if (typeof value === 'string') {
    const found = await findInFile(path.isAbsolute(value) ? value : path.join(folder, value), {
      kind,
      reject: (text) => report(at, `names an invalid file: ${text}`),
    })
    return found && usable(found)
  }
  report(at, `must be the path of a schema file, or a schema, found ${quoteValue(value)}`)
  return undefined
}

interface Search {
  readonly kind: string
  readonly reject: (text: string) => void
}

/** A file is either one JSON Schema or an OpenAPI document with the schemas of many kinds. */
async function findInFile(file: string, { kind, reject }: Search): Promise<Found | undefined> {
  try {
    const { value: root, lineOf } = await readYamlFile(file)
    const isOpenapi = isJsonObject(root) && ('openapi' in root || 'components' in root)
    const steps = isOpenapi ? ['components', 'schemas', `${kind}Spec`] : []
    const report = (problem: SchemaProblem): void => {
      const place: FieldPath = [...steps, ...problem.path]
      reject(`${file}:${lineOf(place)}: ${formatPath(place) || 'the schema'} ${problem.text}`)
    }
    const schema = steps.reduce<JsonValue | undefined>(memberOf, root)
    if (isJsonObject(root) && isJsonObject(schema)) {
      return { root, steps, schema, folder: path.dirname(file), report }
    }
    report({ path: [], text: `must be a schema, found ${quoteValue(schema)}` })
  } catch (error) {
    if (!(error instanceof KindsFileError)) throw error
    error.problems.forEach(reject)
  }
  return undefined
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

async function usable({
  root,
  steps,
  schema,
  folder,
  report,
}: Found): Promise<JsonObject | undefined> {
  const problems = schemaProblems(schema)
  if (problems.length > 0) {
    problems.forEach(report)
    return undefined
  }
  try {
    const pointer = ['#', ...steps].join('/')
    const refers = JSON.stringify(schema).includes('"$ref"')
    const resolved = refers ? await resolveReferences({ root, pointer, folder }) : schema
    const remaining = specSchemaProblems(resolved)
    remaining.forEach(report)
    return remaining.length === 0 ? withoutIdentity(resolved) : undefined
  } catch (error) {
    report({ path: [], text: `has a reference that cannot be resolved: ${errorMessage(error)}` })
    return undefined
  }
}
