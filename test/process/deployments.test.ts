import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig, SETTINGS } from '../../src/cmd/settings.ts'
import { must } from '../../src/lib/assert.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const known = Object.values(SETTINGS).map(({ env }) => env)

function read(file: string): Promise<string> {
  return readFile(path.join(root, file), 'utf8')
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly livenessProbe: { readonly httpGet: object }
  readonly readinessProbe: { readonly httpGet: object }
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean }
  readonly volumeMounts: readonly { readonly mountPath: string }[]
}

/** The fields of the manifests that the tests read. */
interface Manifests {
  readonly Deployment: {
    readonly spec: {
      readonly selector: { readonly matchLabels: Record<string, string> }
      readonly template: {
        readonly metadata: { readonly labels: Record<string, string> }
        readonly spec: {
          readonly containers: readonly [Container]
          readonly terminationGracePeriodSeconds: number
        }
      }
    }
  }
  readonly Service: Record<
    string,
    { readonly ports: readonly object[]; readonly selector: Record<string, string> }
  >
  readonly PodDisruptionBudget: {
    readonly spec: { readonly selector: { readonly matchLabels: Record<string, string> } }
  }
}

async function manifests(): Promise<Manifests> {
  const documents = parseAllDocuments(await read('deploy/kubernetes/flotilla.yaml'))
  const objects = documents.map((document) => document.toJS())
  const services = objects.filter(({ kind }) => kind === 'Service')
  return {
    Deployment: objects.find(({ kind }) => kind === 'Deployment'),
    Service: Object.fromEntries(services.map(({ metadata, spec }) => [metadata.name, spec])),
    PodDisruptionBudget: objects.find(({ kind }) => kind === 'PodDisruptionBudget'),
  }
}

async function podSpec() {
  return (await manifests()).Deployment.spec.template.spec
}

describe('the manifests of Kubernetes', () => {
  it('set only known settings', async () => {
    const [container] = (await podSpec()).containers
    const names = container.env.map(({ name }) => name)
    expect(names).toContain('DATABASE_URL')
    expect(names.filter((name) => !known.includes(name))).toEqual([])
  })

  it('send requests to the port of the API, and probes to the port of health', async () => {
    const [container] = (await podSpec()).containers
    expect(
      Object.fromEntries(container.ports.map((port) => [port.name, port.containerPort])),
    ).toEqual({
      http: SETTINGS.port.default,
      health: SETTINGS.healthPort.default,
      metrics: SETTINGS.metricsPort.default,
    })
    const { Service: services } = await manifests()
    expect(services['flotilla']?.ports).toMatchObject([{ targetPort: 'http' }])
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'health' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'health' })
  })

  it('select the pods of the deployment', async () => {
    const { Deployment, Service, PodDisruptionBudget } = await manifests()
    const { template, selector } = Deployment.spec
    const { labels } = template.metadata
    expect(labels).toMatchObject(selector.matchLabels)
    expect(Object.keys(Service)).toEqual(['flotilla', 'flotilla-metrics'])
    for (const service of Object.values(Service)) expect(labels).toMatchObject(service.selector)
    expect(labels).toMatchObject(PodDisruptionBudget.spec.selector.matchLabels)
  })

  it('leave a server enough time to finish its requests', async () => {
    const { containers, terminationGracePeriodSeconds } = await podSpec()
    const delay = containers[0].env.find(({ name }) => name === 'SHUTDOWN_DELAY_MS')?.value
    expect(Number(delay)).toBeGreaterThan(0)
    const drained = (Number(delay) + readConfig([], {}).shutdownTimeoutMs) / 1000
    expect(terminationGracePeriodSeconds).toBeGreaterThan(drained)
  })

  it('write to volumes only', async () => {
    const [container] = (await podSpec()).containers
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true)
    const mounts = container.volumeMounts.map(({ mountPath }) => mountPath)
    const dataDir = /DATA_DIR=(\S+)/.exec(await read('Dockerfile'))?.[1]
    expect(mounts).toEqual([dataDir, '/tmp'])
  })
})

interface Step {
  readonly id?: string
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the script of a step as GitHub does, with a program that is replaced. Returns the exit code. */
async function runStep(
  { run = '', shell }: Step,
  [name, program]: readonly [string, string],
  env: NodeJS.ProcessEnv,
): Promise<number | null> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-step-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 })
  const options = shell === 'bash' ? ['-eo', 'pipefail'] : ['-e']
  const { status } = spawnSync('bash', [...options, '-c', run], {
    cwd: root,
    env: { PATH: `${folder}:${process.env['PATH']}`, RUNNER_TEMP: folder, ...env },
  })
  return status
}

describe('the image', () => {
  it('has one base, which a build argument names and a label records', async () => {
    const lines = (await read('Dockerfile')).split('\n')
    const bases = lines.filter((line) => line.startsWith('FROM '))
    expect(bases.length).toBeGreaterThan(1)
    expect(new Set(bases.map((line) => line.split(' ')[1]))).toEqual(new Set(['${NODE_IMAGE}']))
    // The value of an argument before the first FROM is lost in a stage that does not repeat it.
    const last = lines.slice(lines.lastIndexOf(bases.at(-1) ?? ''))
    expect(last).toContain('ARG NODE_IMAGE')
    expect(last.join('\n')).toContain('org.opencontainers.image.base.name=$NODE_IMAGE')
  })

  it('is released with the digest of its base', async () => {
    const workflow = parse(await read('.github/workflows/release.yml'))
    const steps: readonly Step[] = workflow.jobs.artefacts.steps
    const resolve = must(
      steps.find(({ id }) => id === 'base'),
      'the step',
    )
    const digest = `sha256:${'a1'.repeat(32)}`
    const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-release-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const output = path.join(folder, 'output')
    const run = (answer: string) =>
      runStep(resolve, ['docker', `echo ${answer}`], {
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: '/dev/null',
      })
    const base = /^ARG NODE_IMAGE=(.*)$/m.exec(await read('Dockerfile'))?.[1]
    expect(await run('')).toBe(1)
    expect(await run(digest)).toBe(0)
    expect(await readFile(output, 'utf8')).toBe(`image=${base}@${digest}\n`)
    expect(workflow.jobs.artefacts.outputs.base).toBe('${{ steps.base.outputs.image }}')
    const published: readonly Step[] = workflow.jobs.image.steps
    const build = published.find(({ run: script }) => script?.includes('buildx build'))
    expect(build?.run).toContain('--build-arg NODE_IMAGE="$BASE"')
    expect(build?.env?.['BASE']).toBe('${{ needs.artefacts.outputs.base }}')
  })
})

describe('the release workflow', () => {
  it('builds with the command that a publisher runs', async () => {
    const { jobs } = parse(await read('.github/workflows/release.yml'))
    const steps: readonly Step[] = jobs.artefacts.steps
    const { scripts } = JSON.parse(await read('package.json'))
    expect(scripts.release).toContain('src/tools/release/main.ts')
    expect(steps.map(({ run }) => run).join('\n')).toContain('npm run release -- ')
  })

  it('fails if the drill of its artefacts fails or skips a case', async () => {
    const { jobs } = parse(await read('.github/workflows/release.yml'))
    const steps: readonly Step[] = jobs.artefacts.steps
    const use = must(
      steps.find(({ run }) => run?.includes('npm run drill')),
      'the step',
    )
    const drill = (failed: number, skipped: number) => {
      const line = `drill installations: 4 passed, ${failed} failed, ${skipped} skipped`
      const program = `echo '${line}'; exit ${failed}`
      return runStep(use, ['npm', program], { GITHUB_REF_NAME: 'v0.2.0' })
    }
    expect(await drill(0, 0)).toBe(0)
    expect(await drill(0, 1)).not.toBe(0)
    expect(await drill(1, 0)).not.toBe(0)
  })

  it('publishes nothing before its artefacts are attested, and only after approval', async () => {
    const { jobs } = parse(await read('.github/workflows/release.yml'))
    for (const name of ['npm', 'pypi', 'image']) {
      expect([jobs[name].needs].flat()).toContain('attest')
      expect(jobs[name].environment).toBe('release')
    }
  })
})

describe('the systemd unit', () => {
  const file = 'deploy/systemd/flotilla.service'

  it('sets only known settings, and starts the program of the image', async () => {
    const unit = await read(file)
    // Variables of the environment take precedence over the file, so a reload could not change them.
    expect(unit).toContain(`Environment=${SETTINGS.settingsFile.env}=/etc/flotilla/flotilla.env`)
    expect(unit).not.toContain('EnvironmentFile=')
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name)
    expect(names.filter((name) => !['NODE_ENV', 'TMPDIR', ...known].includes(name))).toEqual([])
    const command = /^ExecStart=\/usr\/bin\/(.+)$/m.exec(unit)?.[1]?.split(' ')
    const image = /^CMD (.+)$/m.exec(await read('Dockerfile'))?.[1] ?? ''
    expect(command).toEqual(JSON.parse(image))
  })

  test.runIf(hasSystemd())('is accepted by systemd', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-unit-'))
    try {
      // systemd requires that the program exists.
      const unit = (await read(file)).replace('/usr/bin/node', process.execPath)
      const copy = path.join(folder, 'flotilla.service')
      await writeFile(copy, unit)
      execFileSync('systemd-analyze', ['verify', copy], { stdio: 'pipe' })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('the archive command of PostgreSQL', () => {
  it('archives a file again, and never replaces another one', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-archive-'))
    try {
      const configuration = await read('deploy/postgresql/archiving.conf')
      const command = /^archive_command = '(.+)'$/m.exec(configuration)?.[1] ?? ''
      const segment = path.join(folder, 'segment')
      const archived = path.join(folder, '000000010000000000000001')
      const run = (): number | null => {
        const text = command
          .replaceAll('/var/lib/postgresql/archive', folder)
          .replaceAll('%p', segment)
          .replaceAll('%f', path.basename(archived))
        return spawnSync('sh', ['-c', text]).status
      }
      await writeFile(segment, 'one')
      expect(run()).toBe(0)
      expect(run()).toBe(0)
      await writeFile(segment, 'two')
      expect(run()).not.toBe(0)
      expect(await readFile(archived, 'utf8')).toBe('one')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

function hasSystemd(): boolean {
  return spawnSync('systemd-analyze', ['--version']).status === 0
}
