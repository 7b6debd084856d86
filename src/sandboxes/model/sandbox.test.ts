import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../lib/json/json.ts'
import type { ApiObject } from '../../planes/model/api-object.ts'
import { sandboxOf } from './sandbox.ts'
import { workloadDigest } from './workload-digest.ts'

function stored(spec: JsonObject, metadata: JsonObject = {}): ApiObject {
  return {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: { name: 'one', namespace: 'team', uid: 'uid', generation: 2, ...metadata },
    spec: { podTemplate: { spec: { containers: [{ name: 'main' }] } }, ...spec },
  }
}

function withContainer(container: JsonObject, pod: JsonObject = {}, spec: JsonObject = {}) {
  const podTemplate = { spec: { containers: [{ name: 'main', ...container }], ...pod } }
  return sandboxOf(stored({ ...spec, podTemplate })).workload
}

describe('a sandbox without options', () => {
  test('runs, is stopped for a suspension, and restores strictly', () => {
    expect(sandboxOf(stored({}))).toMatchObject({
      name: 'one',
      namespace: 'team',
      generation: 2,
      operatingMode: 'Running',
      strategy: { type: 'Stop', timeoutSeconds: 120, onFailure: 'KeepRunning' },
      restorePolicy: 'Strict',
      restoreFrom: null,
      autoSuspend: { idleSeconds: null, suspendedTtlSeconds: null },
      snapshotPolicy: { keepLast: 3, ttlSeconds: null, deleteWithSandbox: true },
      shutdownTime: null,
      shutdownPolicy: 'Retain',
      requestsColdBoot: false,
    })
  })

  test('restarts its program and gives it 30 seconds to end', () => {
    expect(withContainer({})).toMatchObject({
      restartPolicy: 'Always',
      gracePeriodSeconds: 30,
      memoryBytes: null,
      cpuMillis: null,
      volumes: [],
    })
  })
})

test.each([
  [{ snapshotProviderRef: { name: 'p' } }, { type: 'provider', name: 'p' }],
  [{ snapshotClaimName: 'c' }, { type: 'claim', name: 'c' }],
  [{ snapshotClaimTemplateName: 't' }, { type: 'template', name: 't' }],
  [{}, { type: 'default', name: 'default' }],
])('the reference %j is read', (hibernate, reference) => {
  const { strategy } = sandboxOf(stored({ suspensionStrategy: { type: 'Hibernate', hibernate } }))
  expect(strategy).toMatchObject({ type: 'Hibernate', reference })
})

test('an annotation requests a cold boot', () => {
  const annotations = { 'agents.x-k8s.io/cold-boot': '' }
  expect(sandboxOf(stored({}, { annotations })).requestsColdBoot).toBe(true)
})

describe('a workload', () => {
  test('has limits in bytes and thousandths of a processor', () => {
    const limits = { memory: '512Mi', cpu: '1500m' }
    expect(withContainer({ resources: { limits } })).toMatchObject({
      memoryBytes: 536_870_912,
      cpuMillis: 1500,
    })
    expect(withContainer({ resources: { limits: { cpu: 2 } } }).cpuMillis).toBe(2000)
    expect(withContainer({ resources: { limits: { cpu: 'much' } } }).cpuMillis).toBeNull()
  })

  test('has persistent volumes for its claims and ephemeral ones for the rest', () => {
    const volumeMounts = [
      { name: 'data', mountPath: '/data' },
      { name: 'alias', mountPath: '/alias', readOnly: true },
      { name: 'scratch', mountPath: '/tmp/scratch' },
    ]
    const volumes = [
      { name: 'alias', persistentVolumeClaim: { claimName: 'shared' } },
      { name: 'scratch', emptyDir: {} },
    ]
    const volumeClaimTemplates = ['data', 'shared', 'hidden'].map((name) => ({
      metadata: { name },
      spec: {},
    }))
    expect(withContainer({ volumeMounts }, { volumes }, { volumeClaimTemplates }).volumes).toEqual([
      { name: 'data', mountPath: '/data', ephemeral: false, readOnly: false, content: null },
      { name: 'shared', mountPath: '/alias', ephemeral: false, readOnly: true, content: null },
      {
        name: 'scratch',
        mountPath: '/tmp/scratch',
        ephemeral: true,
        readOnly: false,
        content: null,
      },
      { name: 'hidden', mountPath: null, ephemeral: false, readOnly: false, content: null },
    ])
  })

  test('has environment variables from values, Secrets, ConfigMaps and fields', () => {
    const env = [
      { name: 'A', value: 'a' },
      { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'k', optional: true } } },
      { name: 'D', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'E', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    ]
    expect(withContainer({ env }).env).toEqual([
      { name: 'A', source: { type: 'value', value: 'a' } },
      { name: 'B', source: { type: 'secret', name: 's', key: 'k', optional: false } },
      { name: 'C', source: { type: 'configMap', name: 'c', key: 'k', optional: true } },
      { name: 'D', source: { type: 'field', path: 'metadata.name' } },
      { name: 'E', source: { type: 'unsupported' } },
    ])
  })

  test('has a digest of its program and volumes, not of its environment', () => {
    const digest = workloadDigest(withContainer({ command: ['a'] }))
    const env = [{ name: 'A', value: 'a' }]
    expect(workloadDigest(withContainer({ command: ['a'], env }))).toBe(digest)
    expect(workloadDigest(withContainer({ command: ['b'] }))).not.toBe(digest)
  })
})
