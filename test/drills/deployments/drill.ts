import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import type { Drill } from '../drill.ts'
import { GO_FLAGS } from '../go-flags.ts'
import { installTool, runTool } from '../run-tool.ts'
import { sharedRig } from '../shared-rig.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const GO_FOLDER = fileURLToPath(new URL('go', import.meta.url))
const CHART = path.join(ROOT, 'deploy/helm/flotilla')
const MANIFESTS = path.join(ROOT, 'deploy/kubernetes/flotilla.yaml')
const BUILD_TIMEOUT_MS = 600_000
const RUN_TIMEOUT_MS = 60_000
/** Labels that only Helm uses. */
const HELM_LABEL = /^ *(?:app\.kubernetes\.io\/managed-by|helm\.sh\/chart): .*\n/gm

const HEADER = `# Two servers on an external PostgreSQL. Create the namespace, a secret with DATABASE_URL, and a config
# map with the other settings first: see docs/deploy.md. Rendered from the Helm chart: after a change
# of the chart, run UPDATE=1 npm run drill -- deployments manifests.
`

const engine = sharedRig(buildEngine)

/** Renders the chart with Helm's engine, and decodes its objects into the types of Kubernetes. */
export const deployments: Drill = {
  summary: 'the Helm chart and the manifests of Kubernetes',
  cases: [
    { name: 'chart', run: renderEveryOption },
    { name: 'monitoring', run: renderMonitoring },
    { name: 'restricted', run: renderForOpenshift },
    { name: 'lint', run: lintValues },
    { name: 'manifests', run: checkManifests },
  ],
  close: () => engine[Symbol.asyncDispose](),
}

interface Rendered {
  /** The YAML documents. */
  readonly text: string
  /** The kinds and names of the objects, in the order of their files. */
  readonly objects: readonly string[]
}

type Run = (values: string) => Promise<string>

/** The program with Helm's engine. */
interface Engine extends AsyncDisposable {
  readonly render: Run
  readonly lint: Run
}

async function buildEngine(): Promise<Engine> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-deployments-'))
  const dispose = () => rm(folder, { recursive: true, force: true })
  const program = path.join(folder, 'manifests')
  // GOTOOLCHAIN=local skips the case on an old Go instead of downloading a newer one.
  const build = { cwd: GO_FOLDER, env: { GOTOOLCHAIN: 'local' }, timeoutMs: BUILD_TIMEOUT_MS }
  try {
    await installTool('go', ['build', ...GO_FLAGS, '-ldflags', '-s -w', '-o', program, '.'], build)
  } catch (error) {
    await dispose()
    throw error
  }
  const run = (command: string, values: string) => {
    const file = fileURLToPath(new URL(`values/${values}.yaml`, import.meta.url))
    return runTool(program, [command, CHART, file], { cwd: folder, timeoutMs: RUN_TIMEOUT_MS })
  }
  return {
    render: (values) => run('render', values),
    lint: (values) => run('lint', values),
    [Symbol.asyncDispose]: dispose,
  }
}

function read(output: string): Rendered {
  // The program reports the number of objects at the end.
  const text = output.replace(/\d+ objects are valid\n$/, '')
  const objects = parseAllDocuments(text).map((document) => {
    const { kind, metadata } = document.toJS()
    return `${kind} ${metadata.name}`
  })
  return { text, objects }
}

async function renderEveryOption(): Promise<void> {
  const { render } = await engine.get()
  const { objects, text } = read(await render('every-option'))
  assert.deepEqual(objects, [
    'HorizontalPodAutoscaler flotilla',
    'Deployment flotilla-controllers',
    'ConfigMap flotilla-dashboard',
    'Deployment flotilla',
    'Ingress flotilla',
    'PodDisruptionBudget flotilla',
    'PrometheusRule flotilla',
    'ServiceMonitor flotilla',
    'Service flotilla',
    'Service flotilla-metrics',
  ])
  assert.match(text, /name: AUTH_DISABLED\n +value: "true"/)
  assert.match(text, /name: PUBLIC_URL\n +value: "https:\/\/flotilla\.example\.com"/)
  const names = /name: ALLOWED_HOSTS\n +value: "(.*)"/.exec(text)?.[1]?.split(',') ?? []
  const namespace = /^flotilla\.(.+)\.svc$/.exec(names.find((name) => name.endsWith('.svc')) ?? '')
  for (const service of ['flotilla', 'flotilla-metrics']) {
    const inNamespace = `${service}.${namespace?.[1]}`
    const own = [service, inNamespace, `${inNamespace}.svc`, `${inNamespace}.svc.cluster.local`]
    assert.deepEqual(names.splice(0, own.length), own)
  }
  assert.deepEqual(names, [])
  const chosen = await render('own-names')
  assert.match(chosen, /name: PUBLIC_URL\n +value: "https:\/\/fleet\.example\.com"/)
  assert.match(chosen, /name: ALLOWED_HOSTS\n +value: "fleet"/)
  assert.doesNotMatch(await render('manifests'), /PUBLIC_URL|ALLOWED_HOSTS/)
  assert.match(text, /strategy: \{ type: Recreate \}/)
  assert.match(text, /value: api/)
  assert.match(text, /value: controllers/)
  assert.match(text, /mountPath: \/etc\/flotilla\/tls/)
  assert.match(text, /secretName: certificate/)
  await assert.rejects(render('no-database'), /database\.existingSecret/)
  await assert.rejects(render('own-setting'), /settings\.PORT/)
  await assert.rejects(render('short-grace-period'), /must be at least 50/)
}

/** The alerts and the dashboard arrive as they are, although they contain other templates. */
async function renderMonitoring(): Promise<void> {
  const { render } = await engine.get()
  const { text } = read(await render('every-option'))
  const objects = parseAllDocuments(text).map((document) => document.toJS())
  const find = (wanted: string) => objects.find(({ kind }) => kind === wanted)
  const readPart = (file: string) => readFile(path.join(CHART, 'files', file), 'utf8')
  const rule = find('PrometheusRule')
  assert.deepEqual(rule.spec, parse(await readPart('flotilla-rules.yml')))
  assert.equal(rule.metadata.labels.release, 'prometheus')
  const dashboard = find('ConfigMap')
  assert.equal(dashboard.metadata.labels['grafana_dashboard'], '1')
  assert.equal(dashboard.data['flotilla.json'], await readPart('flotilla.json'))
  assert.equal(find('ServiceMonitor').spec.jobLabel, 'app.kubernetes.io/name')
  const servers = objects.filter(({ kind }) => kind === 'Deployment')
  assert.deepEqual(
    servers.map(({ spec }) => spec.replicas),
    [2, undefined],
  )
}

/** The SCC admits pods without users and groups that satisfy the restricted pod security standard. */
async function renderForOpenshift(): Promise<void> {
  const { render } = await engine.get()
  const { text } = read(await render('openshift'))
  const objects = parseAllDocuments(text).map((document) => document.toJS())
  const { spec } = objects.find(({ kind }) => kind === 'Deployment').spec.template
  assert.deepEqual(spec.securityContext, {
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  assert.deepEqual(spec.containers[0].securityContext, {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  })
}

async function lintValues(): Promise<void> {
  const { lint, render } = await engine.get()
  assert.equal(await lint('every-option'), '')
  assert.equal(await lint('openshift'), '')
  for (const run of [lint, render]) {
    await assert.rejects(run('misspelled'), /'autoscalling' not allowed/)
    await assert.rejects(run('misspelled'), /'\/replicas': got string, want integer/)
  }
}

async function checkManifests(): Promise<void> {
  const { render } = await engine.get()
  const { text } = read(await render('manifests'))
  const rendered = HEADER + text.replaceAll(HELM_LABEL, '').replaceAll(/^ +\n/gm, '')
  if (process.env['UPDATE'] === '1') await writeFile(MANIFESTS, rendered)
  assert.equal(await readFile(MANIFESTS, 'utf8'), rendered)
}
