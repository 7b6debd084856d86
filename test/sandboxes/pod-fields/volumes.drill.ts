import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { poll } from '../support/poll.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd } from '../support/start-sandboxd.ts'
import { type SandboxServer, startSandboxServer } from '../support/start-sandbox-server.ts'

const SECRET = 'n0b0dy-may-read-this'
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const CORE = '/api/v1/namespaces/default'
const run = promisify(execFile)

const ORDINARY_USER = 54_321
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
let fixture: SandboxServer

beforeAll(async () => {
  fixture = await startSandboxServer({ log })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function createObject(kind: 'Secret' | 'ConfigMap', name: string, fields: object) {
  const body = { apiVersion: 'v1', kind, metadata: { name }, ...fields }
  const { status } = await fixture.api.call('POST', `${CORE}/${kind.toLowerCase()}s`, body)
  expect(status).toBe(201)
}

/** A template whose program runs the script and sleeps. */
function podTemplate(script: string, volumes: readonly { readonly name: string }[]) {
  const command = ['/bin/sh', '-c', `${script}; exec sleep 600`]
  const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/mnt/${name}` }))
  return {
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'main', command, volumeMounts }],
      volumes,
    },
  }
}

async function logOf(name: string, end: string): Promise<string> {
  const read = async (): Promise<string> => {
    const response = await fetch(`${fixture.server.origin}${SANDBOXES}/${name}/logs`)
    return response.text()
  }
  return poll(`the log of ${name}`, read, (text) => text.includes(end))
}

test('volumes have the files of config maps and secrets, which the program cannot change', async () => {
  await createObject('ConfigMap', 'settings', {
    data: { 'app.conf': 'color=blue\n', 'run.sh': '#!/bin/sh\necho ran\n' },
    binaryData: { blob: Buffer.from([0, 255]).toString('base64') },
  })
  await createObject('Secret', 'keys', { data: { token: base64(SECRET), other: base64('x') } })
  const script = [
    'cd "$SANDBOX_VOLUME_CONFIG"; cat app.conf; od -An -tx1 blob',
    'cd "$SANDBOX_VOLUME_KEYS"; ls; wc -c <deep/token',
    'cd "$SANDBOX_VOLUME_BOTH"; ls; ./run.sh',
    '(echo no >app.conf) 2>/dev/null || echo read-only',
    '(touch new) 2>/dev/null || echo no-new',
    'cd "$SANDBOX_VOLUME_NONE"; ls -A | wc -l; echo end',
  ].join('; ')
  const volumes = [
    { name: 'config', configMap: { name: 'settings' } },
    {
      name: 'keys',
      secret: { secretName: 'keys', items: [{ key: 'token', path: 'deep/token', mode: 0o400 }] },
    },
    {
      name: 'both',
      projected: {
        defaultMode: 0o555,
        sources: [
          { configMap: { name: 'settings' } },
          { secret: { name: 'keys', items: [{ key: 'other', path: 'app.conf' }] } },
        ],
      },
    },
    { name: 'none', secret: { secretName: 'absent', optional: true } },
  ]
  await fixture.api.createSandbox('reader', { podTemplate: podTemplate(script, volumes) })
  await fixture.waitFor('reader', 'Ready=True')
  const text = (await logOf('reader', 'end')).replaceAll(/ +/g, ' ')
  // Without a separate user, only a wall with mounts makes the files read-only.
  const { isolatesUsers } = await fixture.sandboxd.connection.runtime.getRuntimeInfo({})
  const denied = isolatesUsers ? 'read-only\nno-new\n' : ''
  expect(text.replaceAll(/^(read-only|no-new)\n/gm, isolatesUsers ? '$&' : '')).toBe(
    `color=blue\n 00 ff\ndeep\n${SECRET.length}\napp.conf\nblob\nrun.sh\nran\n${denied}0\nend\n`,
  )
})

test('secrets of volumes are in no log, no process list and no snapshot folder, and end with the instance', async () => {
  await createObject('Secret', 'short', { data: { token: base64(SECRET) } })
  const volumes = [{ name: 'keys', secret: { secretName: 'short' } }]
  await fixture.api.createSandbox('holder', { podTemplate: podTemplate('echo end', volumes) })
  const { body } = await fixture.waitFor('holder', 'Ready=True')
  const directory = path.join(fixture.sandboxd.directory, 'sandboxes', body.metadata.uid)
  expect(await readdir(path.join(directory, 'contents/keys'))).toEqual(['token'])
  const { stdout: processes } = await run('ps', ['axww', '-o', 'args'])
  expect(processes).not.toContain(SECRET)
  // The runtime's records and results, and the folders that snapshots contain.
  const searched = ['records', 'operations'].map((each) =>
    path.join(fixture.sandboxd.directory, each),
  )
  const folders = ['workspace', 'volumes'].map((each) => path.join(directory, each))
  const grep = run('grep', ['-rlE', `${SECRET}|${base64(SECRET)}`, ...searched, ...folders])
  await expect(grep).rejects.toMatchObject({ code: 1 })
  expect(fixture.sandboxd.log()).not.toContain(SECRET)
  expect(lines.join('\n')).not.toContain(SECRET)
  await fixture.api.patchSandbox('holder', { spec: { operatingMode: 'Suspended' } })
  await fixture.waitFor('holder', 'Suspended=True')
  await expect(readdir(path.join(directory, 'contents'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a missing source keeps the sandbox not ready and names it, until it exists', async () => {
  const items = [{ key: 'ca.crt', path: 'ca.crt' }]
  const volumes = [{ name: 'trust', configMap: { name: 'roots', items } }]
  const script = 'cat "$SANDBOX_VOLUME_TRUST/ca.crt"'
  await fixture.api.createSandbox('waiting', { podTemplate: podTemplate(script, volumes) })
  const ready = async () => {
    const { body } = await fixture.waitFor('waiting', 'Ready=False/VolumeSourceNotFound')
    return body.status.conditions.find(({ type }: { type: string }) => type === 'Ready').message
  }
  expect(await ready()).toBe(
    'The files of a volume are missing: volume trust: ConfigMap roots does not exist',
  )
  await createObject('ConfigMap', 'roots', { data: { other: '' } })
  await poll('the missing key', ready, (message) => message.includes('has no key ca.crt'))
  const patch = { data: { 'ca.crt': 'certificate\n' } }
  const type = 'application/merge-patch+json'
  await fixture.api.call('PATCH', `${CORE}/configmaps/roots`, patch, type)
  await fixture.waitFor('waiting', 'Ready=True')
  expect(await logOf('waiting', '\n')).toBe('certificate\n')
})

test.runIf(process.getuid?.() === 0)('an ordinary user runs volumes with files again', async () => {
  await using sandboxd = await startSandboxd({ user: ORDINARY_USER })
  const box = runtimeSandbox(() => sandboxd.connection)
  const files = [
    { path: 'bin/run', data: Buffer.from('#!/bin/sh\necho ran\n'), executable: true },
    { path: 'conf', data: Buffer.from('blue\n') },
  ]
  const workload = (script: string) => ({
    command: ['/bin/sh', '-c', script],
    volumes: [
      { name: 'both', mountPath: '/one', ephemeral: true, readOnly: true, content: { files } },
      { name: 'both', mountPath: '/two', ephemeral: true, readOnly: true, content: { files } },
    ],
  })
  const script = 'cd "$SANDBOX_VOLUME_BOTH"; cat conf; ./bin/run'
  for (const instance of ['one', 'two']) {
    await box.start(instance, '', { workload: workload(script) })
    await box.reaches('Exited')
    expect(await box.logs()).toBe('blue\nran\n')
  }
  const bad = {
    ...workload(script),
    volumes: [{ name: 'v', content: { files: [{ path: '../x' }] } }],
  }
  await expect(box.start('bad', '', { workload: bad })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  })
})
