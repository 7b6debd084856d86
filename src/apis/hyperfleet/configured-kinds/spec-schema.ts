import path from 'node:path'
import {
  type SchemaProblem,
  schemaProblems,
  specSchemaProblems,
} from '../../../core/registry/spec-schema-problems.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { type MemberPath, shownPath } from '../../../lib/json/member-path.ts'
import { shownValue } from '../../../lib/json/shown-value.ts'
import { EntitiesError } from './entities-error.ts'
import type { Place } from './place.ts'
import { resolveReferences } from './resolve-references.ts'
import { withoutIdentity } from './without-identity.ts'
import { readYamlFile } from './yaml-file.ts'

/** A schema, and what it was found in. */
interface Found {
  readonly root: JsonObject
  /** Where in the root the schema is. */
  readonly steps: readonly string[]
  readonly schema: JsonObject
  /** What relative references start from. */
  readonly folder: string
  readonly tell: (problem: SchemaProblem) => void
}

/**
 * The schema that `spec_schema` of a kind gives or names, as the API's document takes it. Undefined
 * where it cannot be used, which is reported.
 */
export async function readSpecSchema(
  kind: string,
  place: Place,
  file: string,
): Promise<JsonObject | undefined> {
  const { value, path: at, report } = place
  const folder = path.dirname(file)
  if (isJsonObject(value)) {
    const tell = (problem: SchemaProblem): void => report([...at, ...problem.path], problem.text)
    return usable({ root: value, steps: [], schema: value, folder, tell })
  }
  if (typeof value === 'string') {
    const found = await findInFile(path.isAbsolute(value) ? value : path.join(folder, value), {
      kind,
      refuse: (text) => report(at, `names a file that cannot be used: ${text}`),
    })
    return found && usable(found)
  }
  report(at, `must be the path of a schema file, or a schema, found ${shownValue(value)}`)
  return undefined
}

interface Search {
  readonly kind: string
  readonly refuse: (text: string) => void
}

/** A JSON Schema is the whole file; an OpenAPI file has the schemas of many kinds. */
async function findInFile(file: string, { kind, refuse }: Search): Promise<Found | undefined> {
  try {
    const { value: root, lineOf } = await readYamlFile(file)
    const isOpenapi = isJsonObject(root) && ('openapi' in root || 'components' in root)
    const steps = isOpenapi ? ['components', 'schemas', `${kind}Spec`] : []
    const tell = (problem: SchemaProblem): void => {
      const place: MemberPath = [...steps, ...problem.path]
      refuse(`${file}:${lineOf(place)}: ${shownPath(place) || 'the schema'} ${problem.text}`)
    }
    const schema = steps.reduce<JsonValue | undefined>(memberOf, root)
    if (isJsonObject(root) && isJsonObject(schema)) {
      return { root, steps, schema, folder: path.dirname(file), tell }
    }
    tell({ path: [], text: `must be a schema, found ${shownValue(schema)}` })
  } catch (error) {
    if (!(error instanceof EntitiesError)) throw error
    error.problems.forEach(refuse)
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
  tell,
}: Found): Promise<JsonObject | undefined> {
  const problems = schemaProblems(schema)
  if (problems.length > 0) {
    problems.forEach(tell)
    return undefined
  }
  try {
    const pointer = ['#', ...steps].join('/')
    const refers = JSON.stringify(schema).includes('"$ref"')
    const resolved = refers ? await resolveReferences({ root, pointer, folder }) : schema
    const remaining = specSchemaProblems(resolved)
    remaining.forEach(tell)
    return remaining.length === 0 ? withoutIdentity(resolved) : undefined
  } catch (error) {
    tell({ path: [], text: `has a reference that cannot be resolved: ${errorMessage(error)}` })
    return undefined
  }
}
