import { expect, it } from 'vitest'
import { workloadOf } from '../../../model/workload.ts'
import { runtimeEntry } from '../runtimes/runtime-entry.ts'
import { pickRuntime } from './placement/pick-runtime.ts'
import { imageMessage, recordedImage, requiredImage, withImage } from './required-image.ts'

const A = { name: 'app', digest: 'sha256:a' }
const NEW = { details: {}, boot: null }

function workload(container: object) {
  const template = { spec: { containers: [{ name: 'main', ...container }] } }
  return workloadOf(JSON.parse(JSON.stringify({ podTemplate: template })))
}

function runtime(name: string, images: readonly (typeof A)[], isolation = ['files', 'network']) {
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
  return { ...entry, isLive: true }
}

const WITH = { runtimes: [runtime('one', [A])], isResume: false }
const WITHOUT = { runtimes: [runtime('one', [])], isResume: false }
const COMMAND = { command: ['true'], image: 'app' }

it('is what a template names if it is registered, and nothing otherwise', () => {
  expect(requiredImage(workload(COMMAND), NEW, WITH)).toEqual({ name: 'app', digest: null })
  expect(requiredImage(workload(COMMAND), NEW, WITHOUT)).toBeNull()
  expect(requiredImage(workload({ command: ['true'] }), NEW, WITH)).toBeNull()
})

it('is required without a command, and with imagePullPolicy: Never', () => {
  const required = { name: 'app', digest: null }
  expect(requiredImage(workload({ image: 'app' }), NEW, WITHOUT)).toEqual(required)
  const never = workload({ ...COMMAND, imagePullPolicy: 'Never' })
  expect(requiredImage(never, NEW, WITHOUT)).toEqual(required)
})

it('stays that of the first start until the spec names another', () => {
  const started = { details: withImage({ restarts: 1 }, A), boot: 'CLEAN' } as const
  expect(recordedImage(started.details)).toEqual(A)
  expect(requiredImage(workload(COMMAND), started, WITHOUT)).toEqual(A)
  const other = workload({ ...COMMAND, image: 'other', imagePullPolicy: 'Never' })
  expect(requiredImage(other, started, WITH)).toEqual({ name: 'other', digest: null })
  expect(withImage(started.details, null)).toEqual({ restarts: 1 })
})

it('stays absent if a sandbox that started without it is resumed', () => {
  const resume = { ...WITH, isResume: true }
  expect(requiredImage(workload(COMMAND), { details: {}, boot: 'CLEAN' }, resume)).toBeNull()
  expect(requiredImage(workload(COMMAND), NEW, resume)).toEqual({ name: 'app', digest: null })
})

it('places a sandbox on a runtime that has the image and a class for it', () => {
  const other = { name: 'app', digest: 'sha256:b' }
  const runtimes = [runtime('empty', []), runtime('bare', [A], []), runtime('other', [other])]
  const placement = { machine: null, driver: null }
  const rest = { counts: new Map<string, number>(), current: null, placement, wanted: null }
  const pick = (image: { readonly name: string; readonly digest: string | null }) =>
    pickRuntime({ ...rest, runtimes, image, consent: null, network: null, usesApi: false })
  expect(pick({ name: 'app', digest: null })).toEqual({
    runtime: 'other',
    isolationClass: 'bubblewrap',
    image: other,
  })
  expect(pick(A)).toBeNull()
  expect(imageMessage(A, runtimes)).toContain('process cannot use images')
  expect(imageMessage({ name: 'x', digest: null }, runtimes)).toBe(
    'No runtime has the image "x"; register it on the machine of a runtime: flotilla sandbox images add x PATH',
  )
  const lost = runtimes.map((each) => ({ ...each, isLive: false }))
  expect(imageMessage(A, lost)).toContain('No live runtime has the image "app" of its first start')
})
