import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/lib/json/json.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function read(path: string): Promise<JsonObject> {
  const value: unknown = await (await fetch(server.origin + path)).json()
  if (!isObject(value)) throw new Error(`${path} is no object`)
  return value
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function member(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const [name, ...rest] = path
  if (!isJsonObject(value)) return {}
  return name === undefined ? value : member(value[name], ...rest)
}

const MATURITIES = ['stable', 'proposed', 'flotilla']
/** Definitions of kinds that the groups serve, and of what their fields refer to. */
const OWN = /^(io\.x-k8s\.agents|dev\.flotilla\.sandbox)\./
/** Fields that every object has. */
const COMMON = ['apiVersion', 'kind', 'metadata', 'items']
/** Bodies of subresources have no part in the proposal. */
const KINDS = [
  'Sandbox',
  'SnapshotProvider',
  'SnapshotClass',
  'SnapshotClaim',
  'SnapshotClaimTemplate',
  'Snapshot',
  'SandboxTemplate',
  'SandboxWarmPool',
  'SandboxClaim',
  'SandboxRuntime',
]

/** The fields of the kinds in a document: their paths and schemas. */
function fieldsOf(definitions: JsonObject): ReadonlyMap<string, JsonObject> {
  const fields = new Map<string, JsonObject>()
  const visit = (path: string, schema: JsonObject, seen: readonly string[]): void => {
    for (const [name, value] of Object.entries(member(schema, 'properties'))) {
      if (path === '' && COMMON.includes(name)) continue
      if (isJsonObject(value)) {
        fields.set(`${seen[0]}:${path}.${name}`, value)
        follow(`${path}.${name}`, value, seen)
      }
    }
  }
  const follow = (path: string, value: JsonObject, seen: readonly string[]): void => {
    const { allOf, $ref, items } = value
    const reference = $ref ?? (Array.isArray(allOf) ? member(allOf[0])['$ref'] : undefined)
    const name =
      typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : ''
    if (OWN.test(name) && !seen.includes(name))
      visit(path, member(definitions, name), [...seen, name])
    if (isJsonObject(items)) follow(`${path}[]`, items, seen)
    visit(path, value, seen)
  }
  for (const name of Object.keys(definitions)) {
    const isKind = OWN.test(name) && KINDS.includes(name.slice(name.lastIndexOf('.') + 1))
    if (isKind) visit('', member(definitions, name), [name])
  }
  return fields
}

/** Every value is that of a map, which has no fields. */
function unmarked(fields: ReadonlyMap<string, JsonObject>): readonly string[] {
  return [...fields]
    .filter(([, schema]) => !MATURITIES.includes(String(schema['x-maturity'])))
    .map(([path]) => path)
}

const GROUPS = [
  'agents.x-k8s.io/v1beta1',
  'extensions.agents.x-k8s.io/v1beta1',
  'sandbox.flotilla.dev/v1alpha1',
]

describe('every field of the kinds of sandboxes has a maturity', () => {
  test.each(GROUPS)('in the OpenAPI v3 document of %s', async (group) => {
    const document = await read(`/openapi/v3/apis/${group}`)
    const fields = fieldsOf(member(document, 'components', 'schemas'))
    expect(fields.size).toBeGreaterThan(10)
    expect(unmarked(fields)).toEqual([])
  })

  test('in the OpenAPI v2 document', async () => {
    const fields = fieldsOf(member(await read('/openapi/v2'), 'definitions'))
    expect(fields.size).toBeGreaterThan(100)
    expect(unmarked(fields)).toEqual([])
  })
})

describe('the maturity', () => {
  test.each([
    ['operatingMode', 'stable'],
    ['podTemplate', 'stable'],
    ['volumeClaimTemplates', 'stable'],
    ['service', 'stable'],
    ['shutdownTime', 'stable'],
    ['shutdownPolicy', 'stable'],
    ['suspensionStrategy', 'proposed'],
    ['restorePolicy', 'flotilla'],
    ['restoreFrom', 'flotilla'],
    ['autoSuspend', 'flotilla'],
    ['snapshotPolicy', 'flotilla'],
  ])('of spec.%s is %s', async (field, maturity) => {
    const document = await read('/openapi/v3/apis/agents.x-k8s.io/v1beta1')
    const spec = 'io.x-k8s.agents.v1beta1.SandboxSpec'
    const schema = member(document, 'components', 'schemas', spec, 'properties', field)
    expect(schema['x-maturity']).toBe(maturity)
    expect(schema['x-kep']).toBe(maturity === 'proposed' ? '0694' : undefined)
  })
})
