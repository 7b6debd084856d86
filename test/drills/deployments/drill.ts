import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import type { Drill } from '../drill.ts'
import { archiveChart } from '../../../src/tools/release/chart-archive.ts'
import { sharedRig } from '../shared-rig.ts'
import { buildEngine, CHART } from './engine.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const MANIFESTS = path.join(ROOT, 'deploy/kubernetes/flotilla.yaml')
/** Labels that only Helm uses. */
const HELM_LABEL = /^ *(?:app\.kubernetes\.io\/managed-by|helm\.sh\/chart): .*\n/gm

const HEADER = `# Two servers on an external PostgreSQL. Create the namespace, a secret with DATABASE_URL, and a config
# map with the other settings first: see docs/deploy.md. Rendered from the Helm chart: after a change
# of the chart, run UPDATE=1 npm run drill -- deployments manifests.
`

const engine = sharedRig(buildEngine)

/** Renders the chart with Helm's engine, and decodes its objects into the types of Kubernetes. */
export const deployments: Drill = {
  summary: 'the Helm chart, the manifests of Kubernetes and the workflows of GitHub',
  cases: [
    { name: 'chart', run: renderEveryOption },
    { name: 'monitoring', run: renderMonitoring },
    { name: 'restricted', run: renderForOpenshift },
    { name: 'lint', run: lintValues },
    { name: 'manifests', run: checkManifests },
    { name: 'archive', run: renderArchive },
    { name: 'workflows', run: lintWorkflows },
  ],
  close: () => engine[Symbol.asyncDispose](),
}

interface Rendered {
  /** The YAML documents. */
  readonly text: string
  /** The kinds and names of the objects, in the order of their files. */
  readonly objects: readonly string[]
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

/** The archive of a release renders the same objects as the folder. */
async function renderArchive(): Promise<void> {
  const { render } = await engine.get()
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'flotilla-chart-'))
  try {
    await archiveChart({ folder: ROOT, scratch, version: '0.2.0', time: '0' }, scratch)
    const archive = path.join(scratch, 'flotilla-0.2.0.tgz')
    assert.equal(await render('every-option', archive), await render('every-option'))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Expressions, jobs, contexts, inputs of actions and permissions, which only a run would check. */
async function lintWorkflows(): Promise<void> {
  const { lintWorkflows: lint } = await engine.get()
  const folder = path.join(ROOT, '.github/workflows')
  const files = (await readdir(folder)).map((file) => path.join(folder, file))
  assert.equal(await lint(files), '')
  const release = await readFile(path.join(folder, 'release.yml'), 'utf8')
  const copies = await mkdtemp(path.join(os.tmpdir(), 'flotilla-workflows-'))
  try {
    for (const [old, broken, problem] of [
      ['needs: artefacts', 'needs: artifacts', /job "attest" needs job "artifacts"/],
      ['steps.base.outputs.image', 'steps.bases.outputs.image', /"bases" is not defined/],
      ['id-token: write', 'id-tokens: write', /unknown permission scope "id-tokens"/],
      ['subject-path:', 'subject-paths:', /input "subject-paths" is not defined/],
    ] as const) {
      const file = path.join(copies, 'release.yml')
      await writeFile(file, release.replace(old, broken))
      await assert.rejects(lint([file]), problem)
    }
  } finally {
    await rm(copies, { recursive: true })
  }
}
