import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../../planes/identities.ts'
import { kubectlPrograms } from '../../planes/clients/kubectl.ts'
import { openFlotillaCommand, type FlotillaCommand } from './flotilla-command.ts'

let planes: PlaneServer
let flotilla: FlotillaCommand
let folder: string
let origin: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'flotilla-access-'))
  planes = await startPlaneServer({ TLS: 'self-signed=true', DATA_DIR: folder })
  origin = planes.server.origin.replace('http:', 'https:')
  flotilla = await openFlotillaCommand('')
})
afterAll(async () => {
  await flotilla[Symbol.asyncDispose]()
  await planes[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const run = (args: readonly string[], options: Parameters<FlotillaCommand['run']>[1] = {}) =>
  flotilla.run(args, options)
const authority = () => path.join(folder, 'tls', 'ca.crt')
const tokenOf = (bearer: string) => bearer.replace('Bearer ', '')
const contextsFile = () => path.join(flotilla.configFolder, 'flotilla', 'config.yaml')

function login(name: string, bearer: string) {
  const args = ['login', origin, '--name', name, '--ca-file', authority()]
  return run(args, { input: `Bearer ${tokenOf(bearer)}\n` })
}

test('login stores a token that the server accepts, for its owner only', async () => {
  const { code, err } = await login('test', ROOT)
  expect([code, err]).toEqual([0, expect.stringContaining('as root@example.com')])
  expect((await stat(contextsFile())).mode & 0o777).toBe(0o600)
  expect((await stat(path.dirname(contextsFile()))).mode & 0o777).toBe(0o700)
  const whoami = await run(['whoami'])
  expect(whoami.out).toContain(`Server:          ${origin} (context test)\n`)
  expect(whoami.out).toContain('User:            root@example.com\n')
  expect(whoami.out).toContain('Authorization:   rbac\n')
})

test('login stores nothing if the server rejects the token or cannot be trusted', async () => {
  const before = await readFile(contextsFile(), 'utf8')
  const rejected = await run(['login', origin, '--ca-file', authority()], { input: 'no-token' })
  expect([rejected.code, rejected.err]).toEqual([1, expect.stringContaining('rejected the token')])
  const untrusted = await run(['login', origin, '--name', 'other'], { input: tokenOf(ROOT) })
  expect([untrusted.code, untrusted.err]).toEqual([1, expect.stringContaining('--ca-file FILE')])
  expect(await readFile(contextsFile(), 'utf8')).toBe(before)
})

test('contexts are listed without tokens, selected, renamed and deleted', async () => {
  await login('jane', bearerOf('jane@example.com'))
  const { out } = await run(['context'])
  expect(out).toMatch(/\* +jane +https/)
  expect(out).not.toContain(tokenOf(ROOT))
  expect((await run(['context', 'rename', 'jane', 'janet'])).code).toBe(0)
  expect((await run(['context', 'use', 'nobody'])).code).toBe(3)
  expect((await run(['whoami', '--context', 'janet'])).out).toContain('jane@example.com')
  expect((await run(['context', 'use', 'test'])).code).toBe(0)
  expect((await run(['context', 'delete', 'janet'])).code).toBe(0)
  expect((await run(['whoami', '--context', 'janet'])).code).toBe(2)
})

test('can-i asks the root plane, and ends with 1 for no', async () => {
  expect(await run(['can-i', 'delete', 'clusters'])).toMatchObject({ code: 0, out: 'yes\n' })
  const token = tokenOf(bearerOf('jane@example.com'))
  const env = { FLOTILLA_TOKEN: token }
  const no = await run(['can-i', 'delete', 'clusters'], { env })
  expect([no.code, no.out]).toEqual([1, ''])
  expect(no.err).toContain('no, you may not delete clusters')
})

test.each([
  ['audit', 'the role hyperfleet-auditor allows it'],
  ['webhook list', 'the role hyperfleet-webhook-admin allows it'],
])('%s without the permission names the role that has it', async (command, role) => {
  const env = { FLOTILLA_TOKEN: tokenOf(bearerOf('jane@example.com')) }
  const { code, out, err } = await run(command.split(' '), { env })
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('User "jane@example.com" cannot list')
  expect(err).toContain(role)
})

test.runIf(kubectlPrograms().length > 0)(
  'kubectl works after kubeconfig --merge, with token and authority',
  async () => {
    expect((await run(['create', 'cluster', 'lisbon'])).code).toBe(0)
    const file = path.join(folder, 'kubeconfig')
    const existing = `# mine
apiVersion: v1
kind: Config
clusters: [{name: old, cluster: {server: 'https://old.example.com'}}]
contexts: []
current-context: old
`
    await writeFile(file, existing, { mode: 0o644 })
    const env = { KUBECONFIG: file }
    const merged = await run(['kubeconfig', 'lisbon', '--merge'], { env })
    expect([merged.code, merged.err]).toEqual([0, expect.stringContaining('flotilla-lisbon')])
    const text = await readFile(file, 'utf8')
    expect(text).toMatch(/^# mine\n/)
    expect(parse(text)).toMatchObject({
      'current-context': 'flotilla-lisbon',
      clusters: [{ name: 'old' }, { name: 'flotilla-lisbon' }],
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const kubectl = promisify(execFile)
    const options = { env: { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: file } }
    const { stdout } = await kubectl('kubectl', ['get', 'namespaces', '-o', 'name'], options)
    expect(stdout).toContain('namespace/default\n')
    // A second merge replaces the entry.
    await run(['kubeconfig', 'lisbon', '--merge'], { env })
    expect(parse(await readFile(file, 'utf8')).clusters).toHaveLength(2)
  },
)

test('kubeconfig does not replace a cluster of another server', async () => {
  const file = path.join(folder, 'taken')
  const taken = 'clusters: [{name: mine, cluster: {server: "https://old.example.com"}}]\n'
  await writeFile(file, taken)
  const args = ['kubeconfig', 'root', '--merge', '--name', 'mine']
  const refused = await run(args, { env: { KUBECONFIG: file } })
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--overwrite')])
  expect(await readFile(file, 'utf8')).toBe(taken)
})
