import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { openFlotillaCommand, type FlotillaCommand } from './flotilla-command.ts'

let server: TestServer
let flotilla: FlotillaCommand
let folder: string

beforeAll(async () => {
  server = await startTestServer()
  flotilla = await openFlotillaCommand(server.origin)
  folder = await mkdtemp(path.join(tmpdir(), 'flotilla-editors-'))
})
afterAll(async () => {
  await flotilla[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Edits a new cluster with a script as the editor. `$1` is the file, and $ROUND counts its calls. */
async function edit(name: string, script: string) {
  const { body } = await server.post('/clusters', {
    kind: 'Cluster',
    name,
    spec: { region: 'eu', size: 1 },
    labels: { tier: 'gold' },
  })
  const editor = path.join(folder, `${name}.sh`)
  const counted = `ROUND=$(cat "$0.round" 2>/dev/null || echo 0); ROUND=$((ROUND + 1)); echo $ROUND >"$0.round"`
  await writeFile(editor, `#!/bin/sh\n${counted}\n${script}\n`, { mode: 0o755 })
  const env = { EDITOR: editor, API: `${server.origin}/api/hyperfleet/v1/clusters/${body.id}` }
  const result = await flotilla.run(['edit', 'cluster', name], { env })
  const kept = /Your edit is in (.*)\./.exec(result.err)?.[1]
  if (kept !== undefined) onTestFinished(() => rm(path.dirname(kept), { recursive: true }))
  const { spec, labels } = (await server.get(`/clusters/${body.id}`)).body
  return { ...result, kept: kept === undefined ? null : await readFile(kept, 'utf8'), spec, labels }
}

const PATCH = (patch: string) =>
  `curl -s -X PATCH $API -H 'Content-Type: application/merge-patch+json' -d '${patch}' >/dev/null`

test('saves an edit and shows the difference', async () => {
  const { code, out, spec } = await edit('lisbon', `sed -i 's/size: 1/size: 2/' "$1"`)
  expect(code).toBe(0)
  expect(out).toContain('-  size: 1\n+  size: 2\ncluster/lisbon updated\n')
  expect(spec).toEqual({ region: 'eu', size: 2 })
})

test('changes nothing if the text stays as it is, or is deleted', async () => {
  expect(await edit('porto', 'true')).toMatchObject({ code: 0, out: 'cluster/porto unchanged\n' })
  expect(await edit('faro', ': >"$1"')).toMatchObject({ code: 0, out: 'cluster/faro unchanged\n' })
})

test('opens the editor again with the error of the server, until the edit is valid', async () => {
  const script = `if [ $ROUND = 1 ]; then sed -i 's/tier: gold/tier: [1]/' "$1"
else cp "$1" "$0.seen"; sed -i 's/tier: \\[1\\]/tier: iron/' "$1"; fi`
  const { code, labels } = await edit('braga', script)
  expect(code).toBe(0)
  expect(labels).toEqual({ tier: 'iron' })
  const seen = await readFile(path.join(folder, 'braga.sh.seen'), 'utf8')
  expect(seen).toMatch(/^#: Error: .*labels\.tier/)
  expect(seen).toContain('tier: [1]')
})

test('keeps the text in a file if the user gives up', async () => {
  const { code, err, kept, spec } = await edit('evora', `sed -i 's/size: 1/size: [/' "$1"`)
  expect(code).toBe(1)
  expect(err).toContain('the text still has the problem')
  expect(kept).toContain('size: [')
  expect(spec).toEqual({ region: 'eu', size: 1 })
})

test('keeps the text in a file if the editor fails', async () => {
  const { code, kept } = await edit('tavira', `echo 'mine: 1' >>"$1"; exit 3`)
  expect(code).toBe(1)
  expect(kept).toContain('mine: 1')
})

test('adds an edit to changes of other fields by other clients', async () => {
  const { code, err, spec } = await edit(
    'beja',
    `${PATCH('{"spec": {"region": "us"}}')}; sed -i 's/size: 1/size: 5/' "$1"`,
  )
  expect(code).toBe(0)
  expect(err).toContain('has changed during your edit, in other fields')
  expect(spec).toEqual({ region: 'us', size: 5 })
})

test('shows the changes of others to the same field before it saves', async () => {
  const script = `if [ $ROUND = 1 ]; then ${PATCH('{"spec": {"size": 7}}')}; sed -i 's/size: 1/size: 5/' "$1"
else cp "$1" "$0.seen"; touch "$1"; fi`
  const { code, spec } = await edit('sines', script)
  expect(code).toBe(0)
  expect(spec).toEqual({ region: 'eu', size: 5 })
  const seen = await readFile(path.join(folder, 'sines.sh.seen'), 'utf8')
  expect(seen).toContain('You both changed: spec.size.')
  expect(seen).toContain('#: -  size: 1\n#: +  size: 7\n')
})

test('leaving the editor without saving keeps the changes of others', async () => {
  const script = `if [ $ROUND = 1 ]; then ${PATCH('{"spec": {"size": 7}}')}; sed -i 's/size: 1/size: 5/' "$1"; fi`
  const { code, kept, spec } = await edit('sintra', script)
  expect(code).toBe(1)
  expect(spec).toEqual({ region: 'eu', size: 7 })
  expect(kept).toContain('size: 5')
})
