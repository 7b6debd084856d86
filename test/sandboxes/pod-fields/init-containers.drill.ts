import { symlink, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ApiResponse } from '../kinds/sandbox-api.ts'
import { poll } from '../support/poll.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { HIBERNATE } from '../support/shell-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'
import { type SandboxServer, startSandboxServer } from '../support/start-sandbox-server.ts'

const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const CLASSES = ['bubblewrap', 'gvisor', 'process']

/** An init container that runs a script. */
function init(name: string, script: string, fields: object = {}) {
  return { name, command: ['/bin/sh', '-c', script], ...fields }
}

describe('init containers', () => {
  let sandboxd: TestSandboxd
  /** Why the runtime does not offer a class; empty if it does. */
  const reasons = new Map<string, string>()
  beforeAll(async () => {
    sandboxd = await startSandboxd()
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    for (const { name, reason } of isolationClasses) reasons.set(name, reason)
  })
  afterEach(() => sandboxd.clear())
  afterAll(() => sandboxd[Symbol.asyncDispose]())

  const reasonOf = (isolationClass: string): string => reasons.get(isolationClass) ?? 'unknown'
  const sandbox = () => runtimeSandbox(() => sandboxd.connection)

  describe.each(CLASSES)('behind the class %s', (isolationClass) => {
    const start = (box: RuntimeSandbox, id: string, script: string, workload: object) =>
      box.start(id, '', {
        workload: { command: ['/bin/sh', '-c', script], isolationClass, ...workload },
      })

    it('run in order, each with its own variables, before the workload', async ({ skip }) => {
      const reason = reasonOf(isolationClass)
      if (reason !== '') return skip(reason)
      const box = sandbox()
      const scratch = { name: 'scratch', mountPath: '/scratch', ephemeral: true }
      const initContainers = [
        init('first', 'echo "one $A ${B-none} $PWD $0"; mkdir "$SANDBOX_WORKSPACE/app"', {
          args: ["$(A) 'q'"],
          env: [{ name: 'A', value: "it's\nlong" }],
          workingDir: 'sub',
          volumes: [scratch],
        }),
        init(
          'second',
          'echo "two ${A-none} ${SANDBOX_INIT-unset}"; echo made >"$SANDBOX_VOLUME_SCRATCH/file"',
          {
            volumes: [scratch],
          },
        ),
      ]
      await start(box, 'one', 'pwd; cat "$SANDBOX_VOLUME_SCRATCH/file"; echo "main ${A-none} $B"', {
        initContainers,
        volumes: [scratch],
        workingDir: 'app',
        env: [{ name: 'B', value: 'b' }],
      })
      expect(await box.reaches('Exited')).toMatchObject({ exitCode: 0, message: '' })
      const lines = (await box.logs())
        .replaceAll(/\S*\/workspace/g, '/workspace')
        .trim()
        .split('\n')
      expect(lines).toEqual([
        "one it's",
        "long none /workspace/sub it's",
        "long 'q'",
        'two none unset',
        '/workspace/app',
        'made',
        'main none b',
      ])
    })

    it('run again after a failure, and not after they have succeeded', async ({ skip }) => {
      const reason = reasonOf(isolationClass)
      if (reason !== '') return skip(reason)
      const box = sandbox()
      const scratch = { name: 'scratch', mountPath: '/scratch', ephemeral: true }
      const initContainers = [
        init('count', 'echo x >>"$SANDBOX_WORKSPACE/count"', { volumes: [scratch] }),
        init('check', 'test -e "$SANDBOX_WORKSPACE/allowed" || exit 7'),
      ]
      const script =
        'touch "$SANDBOX_WORKSPACE/allowed"; wc -l <"$SANDBOX_WORKSPACE/count"; exec sleep 600'
      const volumes = [scratch]
      await start(box, 'one', script, { initContainers, volumes })
      expect(await box.reaches('Exited')).toMatchObject({
        exitCode: 7,
        message: 'the init container check has not succeeded',
      })
      /** The number of times that the first one has run when the workload of an instance starts. */
      const countOf = async (
        instanceId: string,
        containers: readonly object[],
      ): Promise<string> => {
        await start(box, instanceId, script, { initContainers: containers, volumes })
        const log = await poll(
          'the log',
          () => box.logs(),
          (text) => text !== '',
        )
        const request = {
          sandbox: box.key,
          instanceId,
          operationId: `${instanceId}.end`,
          fence: 1n,
        }
        await sandboxd.connection.runtime.terminate(request)
        return log.trim()
      }
      const [first = {}] = initContainers
      expect(await countOf('two', [first])).toBe('2')
      expect(await countOf('three', [first])).toBe('2')
      // Other programs run, and all of them if a directory that they fill is missing.
      expect(await countOf('four', initContainers)).toBe('3')
      const ephemeral = path.join(sandboxd.directory, 'sandboxes', box.key.uid, 'run/ephemeral')
      await rm(path.join(ephemeral, 'scratch'), { recursive: true })
      expect(await countOf('five', initContainers)).toBe('4')
    })
  })

  it('are reported while they run, also after a restart of the runtime', async ({ skip }) => {
    const offered = CLASSES.filter((name) => reasonOf(name) === '')
    if (offered.length === 0) return skip(CLASSES.map(reasonOf).join())
    const wait = 'while [ ! -e "$SANDBOX_WORKSPACE/go" ]; do sleep 0.2; done'
    const boxes = offered.map(() => sandbox())
    const each = (act: (box: RuntimeSandbox, isolationClass: string) => Promise<unknown>) =>
      Promise.all(boxes.map((box, index) => act(box, offered[index] ?? '')))
    const state = async (box: RuntimeSandbox): Promise<string> => {
      const { readiness, readinessMessage } = await box.get()
      return `${readiness} ${readinessMessage}`
    }
    const running = 'Unready its init container slow runs'
    const command = ['/bin/sh', '-c', 'exec sleep 600']
    const initContainers = [init('slow', wait)]
    await each((box, isolationClass) =>
      box.start('one', '', { workload: { command, isolationClass, initContainers } }),
    )
    await each((box) =>
      poll(
        'the init container',
        () => state(box),
        (text) => text === running,
      ),
    )
    await sandboxd.stop('SIGKILL')
    await sandboxd.restart()
    await each(async (box) => {
      expect(await state(box)).toBe(running)
      // A hostile program cannot make the runtime read another file.
      const directory = path.join(sandboxd.directory, 'sandboxes', box.key.uid)
      const file = path.join(directory, 'volumes/init_state/progress')
      await rm(file)
      await symlink('/etc/hostname', file)
      expect(await state(box)).toBe(running)
      await rm(file)
      await box.exec('touch "$SANDBOX_WORKSPACE/go"')
      await poll(
        'the workload',
        () => state(box),
        (text) => text === 'Ready ',
      )
    })
  })
})

describe('a sandbox with init containers', () => {
  let fixture: SandboxServer
  beforeAll(async () => {
    fixture = await startSandboxServer()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const template = (script: string, initContainers: readonly object[], pod: object = {}) => ({
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'main', command: ['/bin/sh', '-c', script] }],
      initContainers,
      ...pod,
    },
  })
  const message = ({ body }: ApiResponse, type: string): string =>
    body.status.conditions.find((each: { type: string }) => each.type === type).message
  const count = async (name: string): Promise<string> => {
    const command = ['/bin/sh', '-c', 'cat "$SANDBOX_WORKSPACE/count"']
    const body = JSON.stringify({ command })
    const url = `${fixture.server.origin}${SANDBOXES}/${name}/exec`
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body })
    return (await response.text()).includes('xx') ? 'twice' : 'once'
  }
  const COUNT = 'printf x >>"$SANDBOX_WORKSPACE/count"'
  const suspendAndResume = async (name: string): Promise<void> => {
    await fixture.api.patchSandbox(name, { spec: { operatingMode: 'Suspended' } })
    await fixture.waitFor(name, 'Suspended=True')
    await fixture.api.patchSandbox(name, { spec: { operatingMode: 'Running' } })
    await fixture.waitFor(name, 'Ready=True')
  }

  it('says which one has failed, and starts again by its policy', async () => {
    const failing = [init('setup', 'echo no >&2; exit 3')]
    const podTemplate = template('exec sleep 600', failing, { restartPolicy: 'Never' })
    await fixture.api.createSandbox('never', { podTemplate })
    const ended = await fixture.waitFor('never', 'Finished=True/PodFailed')
    expect(message(ended, 'Finished')).toBe(
      'The workload has ended with exit code 3: the init container setup has not succeeded',
    )
    const second = [init('setup', `${COUNT}; grep -q xx "$SANDBOX_WORKSPACE/count"`)]
    await fixture.api.createSandbox('always', { podTemplate: template('exec sleep 600', second) })
    const ready = await fixture.waitFor('always', 'Ready=True')
    expect(ready.body.status.restarts).toBe(1)
  })

  it('does not run them again after a resume', async () => {
    const podTemplate = template('exec sleep 600', [init('setup', COUNT)])
    await fixture.api.createSandbox('stopped', { podTemplate })
    await fixture.waitFor('stopped', 'Ready=True')
    await suspendAndResume('stopped')
    expect(await count('stopped')).toBe('once')
    await fixture.api.createSandbox('restored', { podTemplate, suspensionStrategy: HIBERNATE })
    await fixture.waitFor('restored', 'Ready=True')
    await suspendAndResume('restored')
    expect(await count('restored')).toBe('once')
  })
})
