import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPair } from '../../../src/http/server/tls/fixtures.ts'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../identities.ts'
import { type Kubectl, kubectlPrograms, openKubectl } from './kubectl.ts'

let planes: PlaneServer
let dataDir: string
let origin: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'tls-'))
  planes = await startPlaneServer({ TLS: 'self-signed=true', DATA_DIR: dataDir })
  origin = planes.server.origin.replace('http:', 'https:')
})
afterAll(async () => {
  await planes[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true })
})

const tokenOf = (bearer: string): string => bearer.replace('Bearer ', '')

const MAP = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {color: red}
`

for (const program of kubectlPrograms()) {
  describe.sequential(`kubectl at ${program} over TLS`, () => {
    const open = async (caFile: string, bearer = ROOT): Promise<Kubectl> => {
      const kubectl = await openKubectl(program, origin, { caFile, token: tokenOf(bearer) })
      onTestFinished(() => kubectl[Symbol.asyncDispose]())
      return kubectl
    }
    const ca = (): string => path.join(dataDir, 'tls', 'ca.crt')

    test('sends its token, applies, gets and watches', async () => {
      const kubectl = await open(ca())
      const file = await kubectl.manifest('map.yaml', MAP)
      expect(await kubectl.output('apply', '-f', file)).toMatch(
        /configmap\/settings (created|unch)/,
      )
      expect(await kubectl.output('get', 'configmap', 'settings', '-o', 'name')).toBe(
        'configmap/settings\n',
      )
      await using watch = kubectl.start('get', 'configmap', '-w', '-o', 'name')
      await watch.until(/configmap\/settings/)
      await kubectl.output('label', 'configmap', 'settings', 'seen=yes', '--overwrite')
      await watch.until(/(configmap\/settings\n){2}/)
      await kubectl.output('delete', 'configmap', 'settings')
    })

    test('has only the permissions of its token', async () => {
      const kubectl = await open(ca(), bearerOf('jane@example.com'))
      const { code, stderr } = await kubectl.run(['get', 'secrets'])
      expect(code).not.toBe(0)
      expect(stderr).toContain('User "jane@example.com" cannot list resource "secrets"')
    })

    test('rejects a server whose certificate it does not trust', async () => {
      const other = path.join(dataDir, 'other.crt')
      const [certificate = ''] = (await createPair()).cert.split('-----BEGIN PRIVATE')
      await writeFile(other, certificate)
      const { code, stderr } = await (await open(other)).run(['get', 'configmaps'])
      expect(code).not.toBe(0)
      expect(stderr).toContain('certificate')
    })
  })
}
