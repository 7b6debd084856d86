import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type Kubectl, kubectlPrograms, openKubectl } from '../planes/clients/kubectl.ts'
import { fleetApi } from './fleet-api.ts'

let server: TestServer

beforeAll(async () => {
  // Without the controller, the Fleet stays as the commands leave it.
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** A Fleet as programs for kplane declare it. */
const FLEET = `
apiVersion: kplane.dev/v1
kind: Fleet
metadata:
  name: rl-rollout
spec:
  replicas: 1000
  namePrefix: rl-
`

for (const program of kubectlPrograms()) {
  describe.sequential(`kubectl at ${program}`, () => {
    let kubectl: Kubectl
    let file: string

    beforeAll(async () => {
      kubectl = await openKubectl(program, server.origin)
      file = await kubectl.manifest('fleet.yaml', FLEET)
    })
    afterAll(() => kubectl[Symbol.asyncDispose]())

    test('applies a Fleet and applies it again', async () => {
      expect(await kubectl.output('apply', '-f', file)).toContain(
        'fleet.kplane.dev/rl-rollout created',
      )
      expect(await kubectl.output('apply', '-f', file)).toContain('unchanged')
    })

    test('shows the columns of kplane, and the claimed members in wide tables', async () => {
      await fleetApi(server.origin).patchStatus('rl-rollout', {
        replicas: 1000,
        readyReplicas: 998,
        claimedReplicas: 4,
      })
      expect(await kubectl.output('get', 'flt')).toMatch(
        /NAME\s+DESIRED\s+READY\s+AGE\nrl-rollout\s+1000\s+998\s+\d/,
      )
      expect(await kubectl.output('get', 'kplane', '-o', 'wide')).toMatch(
        /CLAIMED\nfleet.kplane.dev\/rl-rollout\s+1000\s+998\s+\S+\s+4/,
      )
    })

    test('scales', async () => {
      await kubectl.output('scale', 'fleet', 'rl-rollout', '--replicas=5')
      const replicas = ['-o', 'jsonpath={.spec.replicas}/{.metadata.generation}']
      expect(await kubectl.output('get', 'fleet', 'rl-rollout', ...replicas)).toBe('5/2')
      const { stderr } = await kubectl.run(['scale', 'fleet', 'rl-rollout', '--replicas=100001'])
      expect(stderr).toContain('must be at most 100000')
    })

    test('edits', async () => {
      const env = { KUBE_EDITOR: 'sed -i -e s/namePrefix:.*/namePrefix:\\ env-/' }
      const { stdout, stderr } = await kubectl.run(['edit', 'fleet', 'rl-rollout'], env)
      expect(`${stdout}${stderr}`).toContain('edited')
      const prefix = ['-o', 'jsonpath={.spec.namePrefix}']
      expect(await kubectl.output('get', 'fleet', 'rl-rollout', ...prefix)).toBe('env-')
    })

    test('explains the fields', async () => {
      const text = await kubectl.output('explain', 'fleet.spec')
      expect(text).toContain('replicas\t<integer> -required-')
      expect(text).toContain('Desired number of members.')
      expect(await kubectl.output('explain', 'fleet.spec.template.nodePools')).toContain('name')
      expect(await kubectl.output('explain', 'scenario.spec.objects')).toContain('manifests')
    })

    test('waits for a condition', async () => {
      const ready = {
        type: 'Ready',
        status: 'True',
        reason: 'AllReady',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      }
      const waiting = kubectl.output('wait', '--for=condition=Ready', 'fleet/rl-rollout')
      await fleetApi(server.origin).patchStatus('rl-rollout', { conditions: [ready] })
      expect(await waiting).toContain('condition met')
    })

    test('applies on the server and names the field of a conflict', async () => {
      const other = ['--server-side', '--field-manager=other']
      const { stderr } = await kubectl.run(['apply', '-f', file, ...other])
      expect(stderr).toContain('.spec.replicas')
      expect(await kubectl.output('apply', '-f', file, ...other, '--force-conflicts')).toContain(
        'serverside-applied',
      )
    })

    test('deletes, with a warning about the members', async () => {
      const deletion = await kubectl.run(['delete', 'fleet', 'rl-rollout', '--wait=false'])
      expect(deletion.stdout).toContain('deleted')
      expect(deletion.stderr).toContain('--cascade=orphan keeps them')
      const finalizers = '{"metadata":{"finalizers":null}}'
      await kubectl.output('patch', 'fleet', 'rl-rollout', '--type=merge', '-p', finalizers)
      expect((await kubectl.run(['get', 'fleet', 'rl-rollout'])).stderr).toContain('NotFound')
    })
  })
}
