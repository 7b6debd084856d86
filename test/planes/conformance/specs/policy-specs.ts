import { describe, expect, test } from 'vitest'
import type { PlaneClient } from '../plane-client.ts'
import { APPLY, MERGE, namesOf, revisionOf } from '../suite.ts'

const GROUP = '/apis/admissionregistration.k8s.io'
const VERSIONS = {
  v1: 'admissionregistration.k8s.io/v1',
  v1beta1: 'admissionregistration.k8s.io/v1beta1',
}

const POLICY = {
  matchConstraints: {
    resourceRules: [
      {
        operations: ['CREATE'],
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        resources: ['deployments'],
      },
    ],
  },
  mutations: [
    {
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression: 'Object{spec: Object.spec{replicas: 100}}' },
    },
  ],
  reinvocationPolicy: 'Never',
}
const BINDING = { policyName: 'replicalimit-policy.example.com' }

interface Case {
  readonly kind: string
  readonly plural: string
  readonly spec: Readonly<Record<string, unknown>>
  readonly changed: Readonly<Record<string, string>>
}

const KINDS: readonly Case[] = [
  {
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    spec: POLICY,
    changed: { reinvocationPolicy: 'IfNeeded' },
  },
  {
    kind: 'MutatingAdmissionPolicyBinding',
    plural: 'mutatingadmissionpolicybindings',
    spec: BINDING,
    changed: { policyName: 'new-policy.example.com' },
  },
]

/** The requests of specs of Kubernetes' e2e suite about mutating policies, in both versions. */
export function policySpecs(plane: () => PlaneClient): void {
  const call = (method: string, path: string, body?: unknown, type = 'application/json') =>
    plane().call(method, path, { body, type })

  describe('specs about mutating policies', () => {
    test.each(KINDS)('MutatingAdmissionPolicy should support $kind API operations', async (one) => {
      const { kind, plural, spec, changed } = one
      const { body: group } = await call('GET', GROUP)
      expect(group).toMatchObject({
        versions: [{ version: 'v1' }, { version: 'v1beta1' }],
        preferredVersion: { version: 'v1' },
      })
      const { body: resources } = await call('GET', `${GROUP}/v1`)
      expect(resources.resources).toContainEqual(expect.objectContaining({ name: plural, kind }))

      const path = `${GROUP}/v1/${plural}`
      const labels = { 'example-e2e-label': plural }
      const query = { labelSelector: `example-e2e-label=${plural}` }
      const list = async () => await plane().call('GET', path, { query })
      const create = async () => {
        const created = await call('POST', path, {
          metadata: { generateName: 'e2e-example-', labels },
          spec,
        })
        expect(created).toMatchObject({ status: 201, body: { apiVersion: VERSIONS.v1, kind } })
        return created.body
      }
      const [first, second] = [await create(), await create(), await create()]
      const at = `${path}/${first.metadata.name}`
      const { body: read } = await call('GET', at)
      expect(read).toEqual(first)

      const { resourceVersion } = (await list()).body.metadata
      await using watch = await plane().watch(path, { ...query, resourceVersion })
      const annotations = { patched: 'true' }
      const { body: patched } = await call(
        'PATCH',
        at,
        { metadata: { annotations }, spec: changed },
        MERGE,
      )
      expect(patched).toMatchObject({ metadata: { annotations, generation: 2 }, spec: changed })
      expect(revisionOf(patched)).toBeGreaterThan(revisionOf(read))
      const { body: updated } = await call('PUT', at, {
        ...patched,
        metadata: { ...patched.metadata, annotations: { ...annotations, updated: 'true' } },
        spec,
      })
      expect(updated).toMatchObject({ metadata: { annotations: { updated: 'true' } }, spec })
      expect(await watch.next()).toEqual({ type: 'MODIFIED', object: patched })

      expect((await call('DELETE', at)).status).toBe(200)
      expect((await call('GET', at)).status).toBe(404)
      const left = namesOf(await list())
      expect(left).toHaveLength(2)
      expect(left).toContain(second.metadata.name)
      expect((await plane().call('DELETE', path, { query })).status).toBe(200)
      expect(namesOf(await list())).toEqual([])
    })

    test.each(KINDS)('R31: $kind is the same object in both versions', async (one) => {
      const { kind, plural, spec, changed } = one
      const [path, old] = [`${GROUP}/v1/${plural}`, `${GROUP}/v1beta1/${plural}`]
      const created = await call('POST', old, { metadata: { name: 'both' }, spec })
      expect(created).toMatchObject({ status: 201, body: { apiVersion: VERSIONS.v1beta1 } })
      expect(created.headers.get('warning')).toBeNull()
      const { body: read } = await call('GET', `${path}/both`)
      expect(read).toEqual({ ...created.body, apiVersion: VERSIONS.v1 })

      const { resourceVersion } = read.metadata
      await using watch = await plane().watch(old, { resourceVersion })
      const applied = await plane().call('PATCH', `${path}/both`, {
        body: { apiVersion: VERSIONS.v1, kind, metadata: { name: 'both' }, spec: changed },
        type: APPLY,
        query: { fieldManager: 'newer', force: 'true' },
      })
      expect(applied).toMatchObject({
        status: 200,
        body: { apiVersion: VERSIONS.v1, spec: changed },
      })
      const event = await watch.next()
      expect(event?.object).toEqual({ ...applied.body, apiVersion: VERSIONS.v1beta1 })
      const managers = applied.body.metadata.managedFields.map(
        (entry: { apiVersion: string }) => entry.apiVersion,
      )
      expect(new Set(managers)).toEqual(new Set(Object.values(VERSIONS)))
      expect((await call('DELETE', `${old}/both`)).status).toBe(200)
      expect((await call('GET', `${path}/both`)).status).toBe(404)
    })

    test('R31: policies of v1 change objects, with bindings of v1beta1', async () => {
      const metadata = { name: 'label' }
      const rule = { ...POLICY.matchConstraints.resourceRules[0], apiGroups: [''] }
      const expression = 'Object{metadata: Object.metadata{labels: {"changed": "yes"}}}'
      await call('POST', `${GROUP}/v1/mutatingadmissionpolicies`, {
        metadata,
        spec: {
          ...POLICY,
          matchConstraints: { resourceRules: [{ ...rule, resources: ['configmaps'] }] },
          mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
        },
      })
      const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'kube-public' } }
      await call('POST', `${GROUP}/v1beta1/mutatingadmissionpolicybindings`, {
        metadata,
        spec: { policyName: 'label', matchResources: { namespaceSelector } },
      })
      const maps = '/api/v1/namespaces/kube-public/configmaps'
      const { body } = await call('POST', maps, { metadata: { name: 'changed' } })
      expect(body.metadata.labels).toEqual({ changed: 'yes' })
      for (const plural of KINDS.map(({ plural }) => plural)) {
        expect((await call('DELETE', `${GROUP}/v1/${plural}/label`)).status).toBe(200)
      }
    })
  })
}
