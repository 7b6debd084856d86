import { generateKeyPairSync } from 'node:crypto'
import type { ObjectKey, StoredObject } from '../../../store/objects/model/stored-object.ts'
import { type TestClock, testClock } from '../../../http/auth/fixtures.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { createServiceAccountTokens, type ServiceAccountTokens } from './service-account-tokens.ts'
import type { SigningKey, SigningKeys } from './signing-keys.ts'

export function testKey(id: string): SigningKey {
  return { id, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
}

/** Keys in memory, the newest first. */
export function testKeys(...keys: SigningKey[]): SigningKeys & { readonly keys: SigningKey[] } {
  return {
    keys,
    current: () => Promise.resolve(keys[0] ?? testKey('none')),
    find: (id) => Promise.resolve(keys.find((key) => key.id === id) ?? null),
    all: () => Promise.resolve(keys),
  }
}

export function storedObject(
  resource: string,
  place: string,
  uid: string,
  metadata: JsonObject = {},
): StoredObject {
  const [plane = '', namespace = '', name = ''] = place.split('/')
  const body = { metadata: { name, namespace, uid, ...metadata } }
  return { plane, resource, namespace, name, uid, revision: 1n, body, managedFields: [] }
}

/** The account `ci/builder` (uid 1) in the planes `one` and `two`, and a secret (uid 2). */
export const OBJECTS: readonly StoredObject[] = [
  storedObject('serviceaccounts', 'one/ci/builder', 'uid-1'),
  storedObject('serviceaccounts', 'two/ci/builder', 'uid-1'),
  storedObject('secrets', 'one/ci/key', 'uid-2'),
  storedObject('sandboxes.agents.x-k8s.io', 'one/ci/box', 'uid-3'),
]

export interface TestTokens {
  readonly tokens: ServiceAccountTokens
  readonly keys: ReturnType<typeof testKeys>
  readonly clock: TestClock
  readonly readObject: (key: ObjectKey) => Promise<StoredObject | null>
  objects: readonly StoredObject[]
  /** The instance of sandboxes that runs. */
  runningInstance: string
}

export function testTokens(keys = testKeys(testKey('key-1'))): TestTokens {
  const clock = testClock()
  const readObject = ({ plane, resource, namespace, name }: ObjectKey) =>
    Promise.resolve(
      setting.objects.find(
        (object) =>
          object.plane === plane &&
          object.resource === resource &&
          object.namespace === namespace &&
          object.name === name,
      ) ?? null,
    )
  const issuerOf = (plane: string): string => `https://flotilla.test/${plane}`
  const isRunning = ({ instance }: { readonly instance: string }) =>
    Promise.resolve(instance === setting.runningInstance)
  const tokens = createServiceAccountTokens({ keys, clock, issuerOf, readObject, isRunning })
  const setting: TestTokens = {
    tokens,
    keys,
    clock,
    readObject,
    objects: OBJECTS,
    runningInstance: 'run-1',
  }
  return setting
}
