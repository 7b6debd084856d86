import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Kubectl, kubectlPrograms, openKubectl } from '../../planes/clients/kubectl.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { EXAMPLE_MANIFESTS } from './example-manifests.ts'
import { sandboxApi } from './sandbox-api.ts'

let server: TestServer

beforeAll(async () => {
  // Without controllers, objects stay as the commands leave them.
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const NOW = '2026-01-01T00:00:00Z'

function condition(type: string, status: string, reason: string) {
  return { type, status, reason, message: '', lastTransitionTime: NOW }
}

for (const program of kubectlPrograms()) {
  describe.sequential(`kubectl at ${program}`, () => {
    let kubectl: Kubectl

    beforeAll(async () => {
      kubectl = await openKubectl(program, server.origin)
    })
    afterAll(() => kubectl[Symbol.asyncDispose]())

    test.each(Object.entries(EXAMPLE_MANIFESTS))(
      "agent-sandbox's example manifests that need no image apply unchanged: %s",
      async (name, text) => {
        const file = await kubectl.manifest(`${name.replaceAll(/\W/g, '-')}.yaml`, text)
        const applied = await kubectl.run(['apply', '-f', file])
        expect(applied).toMatchObject({ code: 0, stderr: '' })
        await kubectl.output('apply', '-f', file)
        const generations = ['-o', 'jsonpath={..metadata.generation}']
        expect(await kubectl.output('get', '-f', file, ...generations)).toMatch(/^1( 1)*$/)
        const owned = await kubectl.run(['apply', '--server-side', '--force-conflicts', '-f', file])
        expect(owned).toMatchObject({ code: 0, stderr: '' })
      },
    )

    test('shows the state of sandboxes', async () => {
      await sandboxApi(server.origin).patchStatus(`${SANDBOXES}/web`, {
        boot: 'RESUME_FS',
        runtime: 'machine-1',
        snapshot: { name: 'web-12345678', snapshotUID: 'one' },
        conditions: [condition('Ready', 'True', 'DependenciesReady')],
      })
      expect(await kubectl.output('get', 'sbx', 'web')).toMatch(
        /NAME\s+MODE\s+READY\s+REASON\s+AGE\nweb\s+Running\s+True\s+DependenciesReady\s+\d/,
      )
      expect(await kubectl.output('get', 'sandbox', 'web', '-o', 'wide')).toMatch(
        /STRATEGY\s+BOOT\s+SNAPSHOT\s+RUNTIME\nweb .*RESUME_FS\s+web-12345678\s+machine-1/,
      )
      for (const name of ['ssclass', 'snapclaim', 'snapclaimtmpl', 'swp', 'sandboxes']) {
        expect((await kubectl.run(['get', name])).code).toBe(0)
      }
    })

    test('waits for conditions', async () => {
      const api = sandboxApi(server.origin)
      const waiting = kubectl.run([
        'wait',
        'sandbox/web',
        '--for=condition=Suspended=True',
        '--timeout=50s',
      ])
      await api.patchStatus(`${SANDBOXES}/web`, {
        conditions: [condition('Suspended', 'True', 'PodTerminated')],
      })
      expect(await waiting).toMatchObject({ code: 0 })
    })

    test('explains fields', async () => {
      const strategy = await kubectl.output('explain', 'sandbox.spec.suspensionStrategy.hibernate')
      expect(strategy).toContain('snapshotClaimTemplateName')
      expect(await kubectl.output('explain', 'snapshotclass')).toContain('lockedParameters')
      const container = 'sandbox.spec.podTemplate.spec.containers'
      expect(await kubectl.output('explain', container)).toContain('workingDir')
    })

    test('scales a pool', async () => {
      await kubectl.output('scale', 'sandboxwarmpool', 'serving', '--replicas=5')
      const replicas = await kubectl.output(
        'get',
        'swp',
        'serving',
        '-o',
        'jsonpath={.spec.replicas}',
      )
      expect(replicas).toBe('5')
    })

    test('rejects fields that do not exist, with a hint if the name is a usual mistake', async () => {
      const manifest = (spec: string) =>
        `apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {name: wrong}\nspec:\n  podTemplate: {spec: {containers: [{name: main, command: [a]}]}}\n  ${spec}\n`
      const unknown = await kubectl.manifest('unknown.yaml', manifest('operatingmode: Running'))
      const strict = await kubectl.run(['apply', '-f', unknown])
      expect(strict.stderr).toContain('unknown field "spec.operatingmode"')
      const mistake = await kubectl.manifest('mistake.yaml', manifest('suspend: true'))
      const hinted = await kubectl.run(['apply', '-f', mistake])
      expect(hinted).toMatchObject({ code: 1 })
      expect(hinted.stderr).toContain(
        'spec.suspend: Forbidden: unknown field; set spec.operatingMode to Suspended',
      )
    })
  })
}
