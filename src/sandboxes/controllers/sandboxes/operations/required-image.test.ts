import { expect, it } from 'vitest'
import { workloadOf } from '../../../model/workload.ts'
import { runtimeEntry } from '../runtimes/runtime-entry.ts'
import { pickRuntime } from './placement/pick-runtime.ts'
import {
  imageMessage,
  imageOn,
  isForbidden,
  recordedImage,
  requiredImage,
  withImage,
} from './required-image.ts'

const A = { name: 'app', digest: 'sha256:a' }
const NEW = { details: {}, boot: null }

function workload(container: object) {
  const template = { spec: { containers: [{ name: 'main', ...container }] } }
  return workloadOf(JSON.parse(JSON.stringify({ podTemplate: template })))
}

function runtime(name: string, images: readonly object[], isolation = ['files', 'network']) {
  const entry = runtimeEntry({
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name },
    spec: { endpoint: 'unix:/x' },
    status: {
      isolation: [
        {
          name: isolation.length > 0 ? 'bubblewrap' : 'process',
          separates: isolation,
          isDefault: true,
        },
      ],
      images: images.map((image) => ({ ...image })),
    },
  })
  return { ...entry, isRenewed: true, isLive: true }
}

const USERS = { tenant: '{"org":"acme"}', namespace: 'team-a' }
const WITH = { runtimes: [runtime('one', [A])], isResume: false, users: USERS }
const WITHOUT = { runtimes: [runtime('one', [])], isResume: false, users: USERS }
const COMMAND = { command: ['true'], image: 'app' }

it('is what a template names if it is registered, and nothing otherwise', () => {
  expect(requiredImage(workload(COMMAND), NEW, WITH)).toEqual({
    name: 'app',
    digest: null,
    users: USERS,
  })
  expect(requiredImage(workload(COMMAND), NEW, WITHOUT)).toBeNull()
  expect(requiredImage(workload({ command: ['true'] }), NEW, WITH)).toBeNull()
})

it('is required without a command, and with imagePullPolicy: Never', () => {
  const required = { name: 'app', digest: null, users: USERS }
  expect(requiredImage(workload({ image: 'app' }), NEW, WITHOUT)).toEqual(required)
  const never = workload({ ...COMMAND, imagePullPolicy: 'Never' })
  expect(requiredImage(never, NEW, WITHOUT)).toEqual(required)
})

it('stays that of the first start until the spec names another', () => {
  const started = { details: withImage({ restarts: 1 }, A), boot: 'CLEAN' } as const
  expect(recordedImage(started.details)).toEqual(A)
  expect(requiredImage(workload(COMMAND), started, WITHOUT)).toEqual({ ...A, users: USERS })
  const other = workload({ ...COMMAND, image: 'other', imagePullPolicy: 'Never' })
  expect(requiredImage(other, started, WITH)).toEqual({ name: 'other', digest: null, users: USERS })
  expect(withImage(started.details, null)).toEqual({ restarts: 1 })
})

it('stays absent if a sandbox that started without it is resumed', () => {
  const resume = { ...WITH, isResume: true }
  expect(requiredImage(workload(COMMAND), { details: {}, boot: 'CLEAN' }, resume)).toBeNull()
  expect(requiredImage(workload(COMMAND), NEW, resume)).toEqual({
    name: 'app',
    digest: null,
    users: USERS,
  })
})

it('places a sandbox on a runtime that has the image and a class for it', () => {
  const other = { name: 'app', digest: 'sha256:b' }
  const runtimes = [runtime('empty', []), runtime('bare', [A], []), runtime('other', [other])]
  const placement = { machine: null, driver: null }
  const rest = { counts: new Map<string, number>(), current: null, placement, wanted: null }
  const pick = (image: { readonly name: string; readonly digest: string | null }) =>
    pickRuntime({
      ...rest,
      runtimes,
      image: { ...image, users: USERS },
      consent: null,
      network: null,
      usesApi: false,
    })
  expect(pick({ name: 'app', digest: null })).toEqual({
    runtime: 'other',
    isolationClass: 'bubblewrap',
    image: other,
  })
  expect(pick(A)).toBeNull()
  expect(imageMessage({ ...A, users: USERS }, runtimes)).toContain('process cannot use images')
  expect(imageMessage({ name: 'x', digest: null, users: USERS }, runtimes)).toBe(
    'No runtime has the image "x"; register it on the machine of a runtime: flotilla sandbox images add x PATH',
  )
  const lost = runtimes.map((each) => ({ ...each, isRenewed: false, isLive: false }))
  expect(imageMessage({ ...A, users: USERS }, lost)).toContain(
    'No live runtime has the image "app" of its first start',
  )
})

it.each([
  [{}, true],
  [{ tenant: USERS.tenant }, true],
  [{ namespace: 'team-a' }, true],
  [{ tenant: USERS.tenant, namespace: 'team-a' }, true],
  [{ tenant: '{"org":"other"}' }, false],
  [{ namespace: 'team-b' }, false],
  [{ tenant: '{"org":"other"}', namespace: 'team-a' }, false],
])('of an image that is for %j, one namespace of one tenant has: %s', (registeredFor, isUsable) => {
  const host = runtime('one', [{ ...A, ...registeredFor }])
  for (const digest of [null, A.digest]) {
    const image = { name: 'app', digest, users: USERS }
    expect(imageOn(host, image)).toEqual(isUsable ? A : null)
    expect(isForbidden(image, [host])).toBe(!isUsable)
    expect(isForbidden(image, [host, runtime('other', [A])])).toBe(false)
  }
})

it('without a name is only for sandboxes that have started in it', () => {
  const host = runtime('one', [{ name: A.digest, digest: A.digest }])
  expect(imageOn(host, { name: A.digest, digest: null, users: USERS })).toBeNull()
  expect(imageOn(host, { name: 'app', digest: A.digest, users: USERS })).toEqual(A)
})
