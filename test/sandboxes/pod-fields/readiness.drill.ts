import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiResponse } from '../kinds/sandbox-api.ts'
import { poll } from '../support/poll.ts'
import { type SandboxServer, startSandboxServer } from '../support/start-sandbox-server.ts'

const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'

let fixture: SandboxServer
beforeAll(async () => {
  fixture = await startSandboxServer()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** A template whose program runs the script, with the command of a check every second. */
function podTemplate(script: string, probe: string, check: string, pod: object = {}) {
  const command = ['/bin/sh', '-c', check]
  return {
    spec: {
      terminationGracePeriodSeconds: 30,
      containers: [
        {
          name: 'main',
          command: ['/bin/sh', '-c', script],
          [probe]: { exec: { command }, periodSeconds: 1, timeoutSeconds: 10, failureThreshold: 1 },
        },
      ],
      ...pod,
    },
  }
}

async function run(name: string, script: string): Promise<void> {
  const command = ['/bin/sh', '-c', script]
  const { status } = await fixture.api.call('POST', `${SANDBOXES}/${name}/exec`, { command })
  expect(status).toBe(200)
}

function condition({ body }: ApiResponse, type: string): { status: string; message: string } {
  return body.status.conditions.find((each: { type: string }) => each.type === type)
}

const UNREADY = 'Ready=False/ContainersNotReady'

it('a sandbox is Ready while its readiness probe succeeds', async () => {
  // The result and its message come from one read, and the file changes in one step.
  const check = 'state=$(cat state); echo "$state"; test "$state" = good'
  const template = podTemplate('echo bad >state; exec sleep 600', 'readinessProbe', check)
  await fixture.api.createSandbox('gated', { podTemplate: template })
  await fixture.waitFor('gated', UNREADY)
  const message = async (): Promise<string> =>
    condition(await fixture.api.getSandbox('gated'), 'Ready').message
  await poll('the reason', message, (text) => text.endsWith('probe fails: exit code 1: bad'))
  await run('gated', 'echo good >state')
  await fixture.waitFor('gated', 'Ready=True/DependenciesReady')
  await run('gated', 'echo worse >next; mv next state')
  await fixture.waitFor('gated', UNREADY)
  const expected = 'The workload runs, but the readiness probe fails: exit code 1: worse'
  await poll('the reason', message, (text) => text.includes(expected))
})

it('a resumed sandbox is Ready only after its own checks', async () => {
  const check = 'test "$(cat allowed)" = "$SANDBOX_INSTANCE_ID"'
  const template = podTemplate('exec sleep 600', 'startupProbe', check)
  const allow = 'echo "$SANDBOX_INSTANCE_ID" >allowed'
  const patient = structuredClone(template)
  Object.assign(patient.spec.containers[0]?.['startupProbe'] ?? {}, { failureThreshold: 1000 })
  await fixture.api.createSandbox('resumed', { podTemplate: patient })
  await fixture.waitFor('resumed', UNREADY)
  await run('resumed', allow)
  await fixture.waitFor('resumed', 'Ready=True')
  await fixture.api.patchSandbox('resumed', { spec: { operatingMode: 'Suspended' } })
  await fixture.waitFor('resumed', 'Suspended=True', 'Ready=False/SandboxSuspended')
  await fixture.api.patchSandbox('resumed', { spec: { operatingMode: 'Running' } })
  const answer = await fixture.waitFor('resumed', UNREADY, 'Suspended=False')
  expect(condition(answer, 'Ready').message).toMatch(/prob.* not succeeded yet/)
  await run('resumed', allow)
  await fixture.waitFor('resumed', 'Ready=True')
})

it.each(['Always', 'OnFailure'])('a failed liveness probe restarts with %s', async (policy) => {
  const name = `sick-${policy.toLowerCase()}`
  // It ends with exit code 0, which alone would be the success of a workload. Only the first instance
  // is ever sick: a check may precede the first command of the script.
  const script =
    'trap "exit 0" TERM; mkdir first 2>/dev/null && touch "sick-$SANDBOX_INSTANCE_ID"; ' +
    'while :; do sleep 0.2; done'
  const template = podTemplate(script, 'livenessProbe', '[ ! -e "sick-$SANDBOX_INSTANCE_ID" ]', {
    restartPolicy: policy,
  })
  await fixture.api.createSandbox(name, { podTemplate: template })
  await poll(
    'the restart',
    () => fixture.waitFor(name, 'Ready=True'),
    ({ body }) => body.status.restarts === 1,
  )
})

it('a failed liveness probe is the end with Never, and the condition says why', async () => {
  const template = podTemplate('exec sleep 600', 'livenessProbe', 'echo too hot; exit 9', {
    restartPolicy: 'Never',
  })
  await fixture.api.createSandbox('mortal', { podTemplate: template })
  const answer = await fixture.waitFor('mortal', 'Finished=True/PodFailed')
  expect(condition(answer, 'Finished').message).toBe(
    'The workload was ended by signal 15: the liveness probe has failed: exit code 9: too hot',
  )
})
