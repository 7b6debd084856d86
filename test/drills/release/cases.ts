import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { must } from '../../../src/lib/assert.ts'
import { buildahIn, missingForImages, mountImage } from '../../process/unpacked-image.ts'
import { buildEngine } from '../deployments/engine.ts'
import { type DrillCase, Skipped } from '../drill.ts'
import { runTool } from '../run-tool.ts'
import { sharedRig } from '../shared-rig.ts'
import { readOutput, type Started } from '../started-program.ts'
import { buildRelease, type BuiltRelease } from './built-release.ts'
import { createMachine, type NewMachine } from './new-machine.ts'
import { upgradeData } from './upgrade-data.ts'

const API = '/api/hyperfleet/v1'
const TIMEOUT_MS = 600_000
const FREE_PORTS = { PORT: '0', HEALTH_PORT: '0', METRICS_PORT: '0' }

const TYPESCRIPT = `
import { Client } from '@flotilla/client'

const client = new Client(process.argv[2])
await client.clusters.create({ name: 'typescript', labels: { run: '1' } })
for await (const { name } of client.clusters.search("labels.run='1'")) console.log(name)
`
const PYTHON = `
import sys

import flotilla

with flotilla.Client(sys.argv[1]) as client:
    client.clusters.create("python", labels={"run": "2"})
    print(",".join(one["name"] for one in client.clusters.search("labels.run='2'")))
`

const release = sharedRig(buildRelease)
const machine = sharedRig(createMachine)

/** The uses of the artefacts of a release, on a machine that has nothing else of it. */
export const releaseCases: readonly DrillCase[] = [
  { name: 'release-checksums', run: verifyChecksums },
  { name: 'release-npm', run: useNpmPackages },
  { name: 'release-python', run: usePythonPackages },
  { name: 'release-chart', run: renderChart },
  { name: 'release-image', run: startImage },
  { name: 'release-upgrade', run: upgradeReleasedData },
]

export async function closeRelease(): Promise<void> {
  await release[Symbol.asyncDispose]()
  await machine[Symbol.asyncDispose]()
}

/** The only artefact in a folder whose name matches. */
async function artefact({ folder }: BuiltRelease, kind: string, pattern: RegExp): Promise<string> {
  const found = (await readdir(path.join(folder, kind))).filter((name) => pattern.test(name))
  assert.equal(found.length, 1, `${kind} contains ${found.join(', ')}`)
  return path.join(folder, kind, must(found[0], 'an artefact'))
}

async function verifyChecksums(): Promise<void> {
  const { folder, version } = await release.get()
  const check = ['--check', '--strict', '--quiet', 'SHA256SUMS']
  await runTool('sha256sum', check, { cwd: folder, timeoutMs: TIMEOUT_MS })
  const sums = await readFile(path.join(folder, 'SHA256SUMS'), 'utf8')
  const listed = sums
    .trim()
    .split('\n')
    .map((line) => line.slice(66))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  assert.deepEqual(listed, files.toSorted())
  const bills = files.filter((file) => file.startsWith('sbom/')).toSorted()
  const names = ['flotilla', 'flotilla-client', 'flotilla-image', 'flotilla-sdk']
  const expected = files.some((file) => file.startsWith('image/'))
    ? names
    : names.filter((name) => name !== 'flotilla-image')
  assert.deepEqual(bills, expected.map((name) => `sbom/${name}-${version}.cdx.json`).toSorted())
  for (const bill of bills) {
    const { bomFormat, components } = JSON.parse(await readFile(path.join(folder, bill), 'utf8'))
    assert.equal(bomFormat, 'CycloneDX')
    assert.ok(Array.isArray(components), bill)
  }
}

/** `npx flotilla start` in an empty folder, before anything is installed. */
async function startServer(
  newMachine: NewMachine,
  folder: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly server: Started; readonly origin: string }> {
  const tarball = await artefact(await release.get(), 'npm', /^flotilla-\d/)
  const command = ['npx', '--yes', '--package', tarball, '--', 'flotilla', 'start']
  const server = newMachine.start(folder, command, { ...FREE_PORTS, ...env })
  const [, origin = ''] = await server.match(/(http:\/\/127\.0\.0\.1:\d+)\/api\/hyperfleet/)
  return { server, origin }
}

/** Ends the server and its PostgreSQL in order, also if the case fails. */
function interrupted(server: Started): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      await server.interrupt()
    },
  }
}

/** Ctrl-C ends npx with 130, whatever the server does. */
async function stop(server: Started): Promise<void> {
  await server.interrupt()
  await server.match(/"msg":"stopped"/)
}

async function useNpmPackages(): Promise<void> {
  const newMachine = await machine.get()
  const { server, origin } = await startServer(newMachine, await newMachine.folder('server'))
  await using _ = interrupted(server)
  const client = await newMachine.folder('client')
  await writeFile(path.join(client, 'program.mjs'), TYPESCRIPT)
  const tarball = await artefact(await release.get(), 'npm', /^flotilla-client-/)
  await newMachine.run(client, 'npm', 'install', '--no-audit', '--no-fund', tarball)
  assert.equal(await newMachine.run(client, 'node', 'program.mjs', origin), 'typescript\n')
  assert.equal((await fetch(`${origin}/console/`)).status, 200)
  await stop(server)
}

async function usePythonPackages(): Promise<void> {
  const newMachine = await machine.get()
  const built = await release.get()
  const wheel = await artefact(built, 'python', /\.whl$/)
  const source = await artefact(built, 'python', /\.tar\.gz$/)
  const folder = await newMachine.folder('python')
  await newMachine.install(folder, 'python3', '-m', 'venv', 'venv')
  const pip = ['venv/bin/pip', '--disable-pip-version-check', '--quiet']
  await newMachine.run(folder, ...pip, 'install', wheel)
  await newMachine.run(folder, ...pip, 'wheel', '--no-deps', '--wheel-dir', 'built', source)
  assert.deepEqual(await readdir(path.join(folder, 'built')), [path.basename(wheel)])
  const { server, origin } = await startServer(newMachine, await newMachine.folder('for-python'))
  await using _ = interrupted(server)
  await writeFile(path.join(folder, 'program.py'), PYTHON)
  assert.equal(await newMachine.run(folder, 'venv/bin/python', 'program.py', origin), 'python\n')
  await stop(server)
}

async function renderChart(): Promise<void> {
  const built = await release.get()
  const chart = await artefact(built, 'helm', /\.tgz$/)
  await using engine = await buildEngine()
  const text = await engine.render('every-option', chart)
  assert.match(text, new RegExp(`image: "[^"]*flotilla:${built.version}"`))
}

async function startImage(): Promise<void> {
  const { folder, version } = await release.get()
  const layout = path.join(folder, 'image/flotilla')
  const missing = await missingForImages()
  if (missing !== null) throw new Skipped(missing)
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'flotilla-image-'))
  try {
    const buildah = buildahIn(scratch)
    const name = await buildah('pull', '--quiet', `oci:${layout}:${version}`)
    await using image = await mountImage(buildah, name)
    assert.equal(image.config.User, 'node')
    const server = image.startReadOnly(image.config.Cmd, { HOST: '127.0.0.1', ...FREE_PORTS })
    const output = readOutput(server)
    try {
      const [, port] = await output.match(/"port":(\d+).*"msg":"ready"/)
      assert.equal((await fetch(`http://127.0.0.1:${port}${API}/clusters`)).status, 200)
    } finally {
      server.kill('SIGTERM')
      await output.closed
    }
    assert.equal(server.exitCode, 0)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function upgradeReleasedData(): Promise<void> {
  const newMachine = await machine.get()
  const folder = await newMachine.folder('upgrade')
  await upgradeData(path.join(folder, 'data'), async (dataDir, use) => {
    const { server, origin } = await startServer(newMachine, folder, { DATA_DIR: dataDir })
    await using _ = interrupted(server)
    await use(origin)
    await stop(server)
  })
}
