import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PoolFixture, startPoolFixture, TEMPLATE } from '../pools/pool-fixture.ts'
import type { ApiResponse } from './sandbox-api.ts'
import { POD_TEMPLATE } from './sandbox-api.ts'

let fixture: PoolFixture

beforeAll(async () => {
  fixture = await startPoolFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const OLD = 'agents.x-k8s.io/v1alpha1'
const SANDBOXES = `/apis/${OLD}/namespaces/default/sandboxes`
const EXTENSIONS = `extensions.${OLD}`
const MERGE = 'application/merge-patch+json'

async function createOld(
  kind: string,
  name: string,
  spec: object,
  query = '',
): Promise<ApiResponse> {
  const apiVersion = kind === 'Sandbox' ? OLD : EXTENSIONS
  const plural = kind === 'Sandbox' ? 'sandboxes' : `${kind.toLowerCase()}s`
  const path = `/apis/${apiVersion}/namespaces/default/${plural}${query}`
  return await fixture.api.call('POST', path, { apiVersion, kind, metadata: { name }, spec })
}

const readClaim = async (version: string, name: string) =>
  (
    await fixture.api.call(
      'GET',
      `/apis/extensions.agents.x-k8s.io/${version}/namespaces/default/sandboxclaims/${name}`,
    )
  ).body

describe('sandboxes in v1alpha1', () => {
  test('have replicas instead of an operating mode', async () => {
    const created = await createOld('Sandbox', 'old', { podTemplate: POD_TEMPLATE, replicas: 0 })
    expect(created).toMatchObject({
      status: 201,
      body: { apiVersion: OLD, spec: { replicas: 0 } },
      warnings: [`${OLD} Sandbox is deprecated; use agents.x-k8s.io/v1beta1 Sandbox`],
    })
    expect(created.body.spec.operatingMode).toBeUndefined()
    const stored = (await fixture.api.getSandbox('old')).body
    expect(stored).toMatchObject({
      apiVersion: 'agents.x-k8s.io/v1beta1',
      spec: { operatingMode: 'Suspended' },
    })
    expect(stored.spec.replicas).toBeUndefined()
    await fixture.api.patchSandbox('old', { spec: { operatingMode: 'Running' } })
    const read = await fixture.api.call('GET', `${SANDBOXES}/old`)
    expect(read.body).toMatchObject({ apiVersion: OLD, spec: { replicas: 1 } })
  })

  test('keep the fields of newer versions in updates', async () => {
    const restorePolicy = 'AllowColdBoot'
    await fixture.api.createSandbox('newer', { restorePolicy })
    const patch = { spec: { replicas: 0 } }
    const patched = await fixture.api.call('PATCH', `${SANDBOXES}/newer`, patch, MERGE)
    expect(patched).toMatchObject({ status: 200, body: { spec: { replicas: 0 } } })
    const { spec, metadata } = (await fixture.api.getSandbox('newer')).body
    expect(spec).toMatchObject({ operatingMode: 'Suspended', restorePolicy })
    expect(metadata.generation).toBe(2)
    const replaced = await fixture.api.call('PUT', `${SANDBOXES}/newer`, patched.body)
    expect(replaced.body.metadata.resourceVersion).toBe(metadata.resourceVersion)
  })

  test('are scaled', async () => {
    await fixture.api.createSandbox('scaled', {})
    const path = `${SANDBOXES}/scaled/scale`
    const scale = await fixture.api.call('PATCH', path, { spec: { replicas: 0 } }, MERGE)
    expect(scale).toMatchObject({ status: 200, body: { kind: 'Scale', spec: { replicas: 0 } } })
    const { body } = await fixture.api.getSandbox('scaled')
    expect(body.spec.operatingMode).toBe('Suspended')
    await fixture.report('scaled', [{ type: 'Ready', status: 'False' }])
    const read = await fixture.api.call('GET', `${SANDBOXES}/scaled`)
    expect(read.body.status).toMatchObject({ replicas: 0, conditions: [{ type: 'Ready' }] })
  })

  test('obey the rules of the current version, and have its subresources', async () => {
    const many = await createOld('Sandbox', 'many', { podTemplate: POD_TEMPLATE, replicas: 2 })
    expect(many.status).toBe(422)
    const none = await createOld('Sandbox', 'none', { podTemplate: { spec: { containers: [] } } })
    expect(none).toMatchObject({ status: 422 })
    expect(none.body.message).toContain('exactly one container')
    await createOld('Sandbox', 'ended', { podTemplate: POD_TEMPLATE })
    const suspended = await fixture.api.call('POST', `${SANDBOXES}/ended/suspend`)
    expect(suspended).toMatchObject({ status: 200, body: { spec: { operatingMode: 'Suspended' } } })
  })

  test('are listed, applied and watched', async () => {
    const manifest = {
      apiVersion: OLD,
      kind: 'Sandbox',
      metadata: { name: 'applied' },
      spec: { podTemplate: POD_TEMPLATE, replicas: 1 },
    }
    const type = 'application/apply-patch+yaml'
    const path = `${SANDBOXES}/applied?fieldManager=test`
    expect((await fixture.api.call('PATCH', path, manifest, type)).status).toBe(201)
    const changed = { ...manifest, spec: { ...manifest.spec, replicas: 0 } }
    const again = await fixture.api.call('PATCH', path, changed, type)
    expect(again).toMatchObject({ status: 200, body: { spec: { replicas: 0 } } })
    const list = await fixture.api.call('GET', SANDBOXES)
    expect(list.body).toMatchObject({ apiVersion: OLD, kind: 'SandboxList' })
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of an object
    const versions = list.body.items.map((item: any) => [item.apiVersion, item.spec.operatingMode])
    expect(versions).toContainEqual([OLD, undefined])
    expect(versions.every(([version]: readonly string[]) => version === OLD)).toBe(true)
  })
})

describe('claims in v1alpha1', () => {
  test('use the pools of their template', async () => {
    await createOld('SandboxTemplate', 'python', TEMPLATE)
    const pool = { replicas: 1, sandboxTemplateRef: { name: 'python' } }
    const created = await createOld('SandboxWarmPool', 'warm', pool)
    expect(created).toMatchObject({ status: 201, body: { apiVersion: EXTENSIONS } })
    await expect.poll(() => fixture.waiting('warm')).toHaveLength(1)
    const [waiting = ''] = await fixture.waiting('warm')
    await fixture.reportReady(waiting)
    const spec = { sandboxTemplateRef: { name: 'python' } }
    const claim = await createOld('SandboxClaim', 'session', spec)
    expect(claim.body.spec).toMatchObject({ ...spec, warmpool: 'default' })
    await expect
      .poll(async () => (await readClaim('v1alpha1', 'session')).status?.sandbox?.name)
      .toBe(waiting)
    const stored = await readClaim('v1beta1', 'session')
    expect(stored.spec).toMatchObject({ warmPoolRef: { name: 'shadow-pool-python' } })
  })

  test('get a new sandbox without a pool, or that of a named pool', async () => {
    await expect.poll(() => fixture.waiting('warm')).toHaveLength(1)
    const [waiting = ''] = await fixture.waiting('warm')
    await fixture.reportReady(waiting)
    const spec = { sandboxTemplateRef: { name: 'python' } }
    await createOld('SandboxClaim', 'fresh', { ...spec, warmpool: 'none' })
    await expect
      .poll(async () => (await readClaim('v1alpha1', 'fresh')).status?.sandbox?.name)
      .toBe('fresh')
    await createOld('SandboxClaim', 'named', { ...spec, warmpool: 'warm' })
    await expect
      .poll(async () => (await readClaim('v1alpha1', 'named')).status?.sandbox?.name)
      .toBe(waiting)
    expect((await readClaim('v1alpha1', 'fresh')).spec.warmpool).toBe('none')
    const { spec: shown, metadata } = await readClaim('v1alpha1', 'named')
    expect(shown).toMatchObject({ ...spec, warmpool: 'warm' })
    expect(Object.keys(metadata.annotations)).toEqual(['agents.x-k8s.io/sandbox-name'])
    expect((await readClaim('v1beta1', 'named')).spec.warmPoolRef).toEqual({ name: 'warm' })
  })
})
