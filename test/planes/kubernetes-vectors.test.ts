import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allSteps } from '../../src/lib/async/steps.ts'
import { applyObject } from '../../src/planes/apply/apply-object.ts'
import type { FieldWrite } from '../../src/planes/apply/managers/field-write.ts'
import { trackUpdate } from '../../src/planes/apply/track-update.ts'
import { KubeError } from '../../src/planes/errors/kube-error.ts'
import type { ApiObject } from '../../src/planes/model/api-object.ts'
import type { Schema } from '../../src/planes/model/schema.ts'
import { applyPatch } from '../../src/planes/patches/apply-patch.ts'
import { OBJECT_META_SCHEMA } from '../../src/planes/schemas/object-meta-schema.ts'
import type { JsonObject } from '../../src/lib/json/json.ts'

interface Step {
  readonly apply?: boolean
  readonly force?: boolean
  readonly manager: string
  readonly object: ApiObject
  readonly result?: ApiObject
  readonly failure?: 'conflict' | 'invalid'
  readonly causes?: readonly string[]
}

type Outcome = Pick<Step, 'result' | 'failure' | 'causes'>

interface Patched {
  readonly live: JsonObject
  readonly patch: JsonObject
  readonly result: JsonObject
}

interface Vectors {
  readonly apply: readonly (readonly Step[])[]
  readonly patches: readonly Patched[]
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

// The directory kubernetes-vectors has the program that made them from Kubernetes' own packages.
const vectors: Vectors = JSON.parse(read('../vectors/kubernetes-patches.json'))
const schema: Schema = JSON.parse(read('kubernetes-vectors/schema.json'))

const VERSION = {
  name: 'v1',
  served: true,
  schema,
  printerColumns: [],
  selectableFields: [],
  hasStatus: false,
  scale: null,
}

const write = (manager: string): FieldWrite => ({
  manager,
  type: { group: '', kind: 'Thing', versions: [VERSION] },
  version: 'v1',
  subresource: '',
  now: new Date(0),
})

/** The outcome of a step in the form of the vectors. */
function outcomeOf(
  live: ApiObject | null,
  { apply, force = false, manager, object }: Step,
): Outcome {
  const sent = { ...object, metadata: { ...object.metadata, ...uidOf(live) } }
  try {
    const steps = apply
      ? applyObject({ live, applied: object }, write(manager), force)
      : trackUpdate(live, sent, write(manager))
    const result = allSteps(steps)
    return { result: { ...result, metadata: { ...result.metadata, uid: '1' } } }
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    if (error.code !== 409) return { failure: 'invalid' }
    const causes = (error.details?.causes ?? []).map(({ message, field }) => `${message}: ${field}`)
    return { failure: 'conflict', causes: causes.toSorted() }
  }
}

function uidOf(live: ApiObject | null): JsonObject {
  const uid = live?.metadata.uid
  return uid === undefined ? {} : { uid }
}

function withoutTimes(object: ApiObject | undefined) {
  if (object?.metadata.managedFields === undefined) return object
  const entries = object.metadata.managedFields.map((entry) =>
    entry.time === undefined ? entry : { ...entry, time: 'set' },
  )
  const identity = ({ operation, manager }: { operation: string; manager?: string }) =>
    `${operation} ${manager}`
  const sorted = entries.toSorted((one, other) => (identity(one) < identity(other) ? -1 : 1))
  return { ...object, metadata: { ...object.metadata, managedFields: sorted } }
}

test('R21: the vectors use the schema of metadata', () => {
  const described = JSON.stringify(OBJECT_META_SCHEMA, (name, value) =>
    name === 'description' && typeof value === 'string' ? undefined : value,
  )
  expect(schema.properties?.['metadata']).toEqual(JSON.parse(described))
})

describe('R21: writes of several managers have the results of Kubernetes', () => {
  test.each(vectors.apply.map((steps, index) => [index, steps] as const))(
    'R21: sequence %i',
    (_index, steps) => {
      let live: ApiObject | null = null
      for (const step of steps) {
        const outcome = outcomeOf(live, step)
        const { result, failure, causes } = step
        expect({ ...outcome, result: withoutTimes(outcome.result) }).toEqual({
          result,
          failure,
          causes,
        })
        live = outcome.result ?? live
      }
    },
  )
})

describe('R20: strategic merge patches have the results of Kubernetes', () => {
  test.each(vectors.patches.map((vector, index) => [index, vector] as const))(
    'R20: patch %i',
    (_index, { live, patch, result }) => {
      expect(applyPatch(live, { type: 'strategic', body: patch }, schema)).toEqual(result)
    },
  )
})
