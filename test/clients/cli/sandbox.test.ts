import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type ReferenceFixture,
  startReferenceFixture,
} from '../../sandboxes/support/start-reference-fixture.ts'
import { openFlotillaCommand, type FlotillaCommand } from './flotilla-command.ts'

let fixture: ReferenceFixture
let flotilla: FlotillaCommand

beforeAll(async () => {
  fixture = await startReferenceFixture()
  flotilla = await openFlotillaCommand(fixture.server.origin)
}, 120_000)
beforeEach(() => fixture.reference.faults.clear())
afterAll(async () => {
  await flotilla[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

const run = (...args: readonly string[]) => flotilla.run(['sandbox', ...args])
const create = (name: string, ...options: readonly string[]) =>
  run('create', name, ...options, '--', 'sleep', '1000')
const HIBERNATES = ['--strategy', 'Hibernate', '--provider', 'local']

test('create --strategy and --provider choose how the sandbox is suspended', async () => {
  expect(await create('notes', ...HIBERNATES)).toMatchObject({
    code: 0,
    out: 'sandbox/notes runs\n',
  })
  const { body } = await fixture.api.getSandbox('notes')
  expect(body.spec.suspensionStrategy).toMatchObject({
    type: 'Hibernate',
    hibernate: { snapshotProviderRef: { name: 'local' } },
  })
  const suspended = await run('suspend', 'notes')
  expect(suspended).toMatchObject({ code: 0, out: 'sandbox/notes suspended\n' })

  await create('frozen', '--strategy', 'Freeze', '--no-wait')
  const frozen = (await fixture.api.getSandbox('frozen')).body.spec
  expect(frozen.suspensionStrategy).toMatchObject({ type: 'Freeze' })
  await create('stopped', '--no-wait')
  const { spec } = (await fixture.api.getSandbox('stopped')).body
  expect(spec.suspensionStrategy?.type ?? 'Stop').toBe('Stop')
})

test('create rejects a provider that has no effect, and an unknown strategy', async () => {
  const useless = await create('useless', '--strategy', 'Freeze', '--provider', 'local')
  expect([useless.code, useless.err]).toEqual([
    2,
    expect.stringMatching(/--provider has no effect[^]*Add --strategy Hibernate/),
  ])
  const unknown = await create('unknown', '--strategy', 'Sleep')
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('Stop, Freeze')])
  expect((await fixture.api.getSandbox('useless')).status).toBe(404)
})

test('create --volume, --memory, --idle and --class describe the sandbox', async () => {
  const options = ['--volume', 'cache:/cache', 'home', '--memory', '256Mi', '--idle', '10m']
  const created = await create('build', ...options, '--class', 'bubblewrap', '--no-wait')
  expect(created).toMatchObject({ code: 0, out: 'sandbox/build created\n' })
  const { spec } = (await fixture.api.getSandbox('build')).body
  expect(spec).toMatchObject({
    autoSuspend: { idleSeconds: 600 },
    volumeClaimTemplates: [{ metadata: { name: 'cache' } }, { metadata: { name: 'home' } }],
  })
  expect(spec.podTemplate.spec).toMatchObject({
    runtimeClassName: 'bubblewrap',
    containers: [
      {
        resources: { limits: { memory: '256Mi' } },
        volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
      },
    ],
  })
  const invalid = await create('invalid', '--memory', 'much')
  expect([invalid.code, invalid.err]).toEqual([1, expect.stringContaining('much')])
})

test('snapshot shows the step that it waits for', async () => {
  await create('web', ...HIBERNATES)
  const taken = await run('snapshot', 'web', '--name', 'first')
  expect(taken).toMatchObject({ code: 0, out: 'snapshot/first is complete\n' })
  fixture.reference.faults.inject({
    call: 'checkpoint',
    point: 'during-effect',
    action: { type: 'hang' },
  })
  const hanging = flotilla.start(['sandbox', 'snapshot', 'web', '--name', 'second'])
  await expect
    .poll(hanging.errors)
    .toContain('snapshot/second: Recorded: Snapshot, attempt 1, completed step Recorded\n')
  const third = ['sandbox', 'snapshot', 'web', '--name', 'third', '--timeout', '1h']
  const limited = flotilla.start(third)
  await expect.poll(limited.errors).toContain('snapshot/third: Recorded: Snapshot, attempt')
  limited.expire()
  const expired = await limited.result
  expect([expired.code, expired.out]).toEqual([4, ''])
  expect(expired.err).toMatch(
    /Error: snapshot\/third was not complete after 3600 s\n {2}Recorded: Snapshot, attempt/,
  )
  hanging.interrupt()
  expect((await hanging.result).out).toBe('')
})

test('a snapshot that fails ends the command with the reason', async () => {
  await create('full', ...HIBERNATES)
  fixture.reference.faults.inject({
    call: 'checkpoint',
    point: 'before-effect',
    action: { type: 'fail', code: 'RESOURCE_EXHAUSTED', reason: 'StoreFull' },
  })
  const { code, err } = await run('snapshot', 'full', '--name', 'fourth', '--timeout', '60s')
  expect([code, err]).toEqual([1, expect.stringContaining('snapshot/fourth has failed')])
})
