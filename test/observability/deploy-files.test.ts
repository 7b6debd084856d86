import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { groupsIn, metricsIn } from './prometheus-names.ts'

const ROOT = new URL('../../', import.meta.url)
const RULES = fileURLToPath(new URL('deploy/helm/flotilla/files/flotilla-rules.yml', ROOT))
const RULES_TEST = fileURLToPath(new URL('deploy/prometheus/flotilla-rules.test.yml', ROOT))

/** Labels that Prometheus adds to every series. */
const TARGET_LABELS = ['instance', 'job']

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource?: { readonly uid: string }
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

let rules: readonly Rule[]
let panels: readonly Panel[]
/** The labels of each series, by its name. */
let known: ReadonlyMap<string, ReadonlySet<string>>

beforeAll(async () => {
  const { groups } = parse(await readFile(RULES, 'utf8'))
  rules = groups.flatMap((group: { rules: Rule[] }) => group.rules)
  const text = await readFile(new URL('deploy/helm/flotilla/files/flotilla.json', ROOT), 'utf8')
  panels = JSON.parse(text).panels
  known = await documentedSeries()
})

/** The rows of docs/metrics.md, which test/process/metrics.test.ts compares with a server. */
async function documentedSeries(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const page = await readFile(new URL('docs/metrics.md', ROOT), 'utf8')
  const series = new Map([['up', new Set(TARGET_LABELS)]])
  for (const line of page.split('\n')) {
    const [, first = '', type = '', listed = ''] = line.split('|').map((cell) => cell.trim())
    const [, name] = /^`([a-z_0-9]+)`$/.exec(first) ?? []
    if (name === undefined) continue
    const labels = [...listed.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)
    const all = new Set([...labels, ...TARGET_LABELS])
    if (type !== 'histogram') series.set(name, all)
    else {
      for (const suffix of ['_sum', '_count']) series.set(name + suffix, all)
      series.set(`${name}_bucket`, new Set([...all, 'le']))
    }
  }
  return series
}

/** The names and labels in an expression that no server exposes. */
function unknownIn(expression: string): readonly string[] {
  const used = metricsIn(expression)
  const unknown = used.flatMap(({ name, labels }) => {
    const exposed = known.get(name)
    if (!exposed) return [name]
    return labels.filter((label) => !exposed.has(label)).map((label) => `${name}{${label}}`)
  })
  const groups = groupsIn(expression).filter(
    (label) => !used.every(({ name }) => known.get(name)?.has(label)),
  )
  return [...unknown, ...groups.map((label) => `by (${label})`)]
}

describe('the check of expressions', () => {
  it.each([
    ['rate(flotilla_http_request_total[5m])', ['flotilla_http_request_total']],
    ['flotilla_db_pool_connections{status="x"}', ['flotilla_db_pool_connections{status}']],
    ['sum by (kind) (flotilla_watchers)', ['by (kind)']],
    ['sum by (le) (flotilla_http_request_duration_seconds_sum)', ['by (le)']],
    ['flotilla_http_request_duration_seconds > 1', ['flotilla_http_request_duration_seconds']],
    ['sum by (le, route) (flotilla_http_request_duration_seconds_bucket{job="a"})', []],
  ])('finds the unknown names of %s', (expression, unknown) => {
    expect(unknownIn(expression)).toEqual(unknown)
  })
})

describe('the rules of the chart', () => {
  it('uses only metrics and labels that servers expose', () => {
    expect(rules.length).toBeGreaterThan(15)
    for (const { alert, expr } of rules) {
      expect(metricsIn(expr).length, alert).toBeGreaterThan(0)
      expect([alert, unknownIn(expr)]).toEqual([alert, []])
    }
  })

  it('gives every alert a distinct name, a duration, a severity and a summary', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const rule of rules) {
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^Flotilla[A-Z]/),
        for: expect.stringMatching(/^\d+m$/),
        labels: { severity: expect.stringMatching(/^(critical|warning|info)$/) },
        annotations: { summary: expect.stringMatching(/\.$/) },
      })
    }
  })

  it('has exactly the alerts of docs/monitoring.md, with their severities', async () => {
    const page = await readFile(new URL('docs/monitoring.md', ROOT), 'utf8')
    const rows = [...page.matchAll(/^\| `(Flotilla\w+)` *\| (\w+)/gm)].map(
      ([, a, b]) => `${a} ${b}`,
    )
    const alerts = rules.map(({ alert, labels }) => `${alert} ${labels.severity}`)
    expect(rows.toSorted()).toEqual(alerts.toSorted())
  })

  it.skipIf(!hasPromtool())('passes promtool, with its tests of alerts that fire or do not', () => {
    expect(() => promtool('check', 'rules', RULES)).not.toThrow()
    expect(() => promtool('test', 'rules', RULES_TEST)).not.toThrow()
  })
})

describe('the dashboard of the chart', () => {
  const graphs = () => panels.filter(({ type }) => type !== 'row')
  const expressions = () => graphs().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

  it('uses only metrics and labels that servers expose', () => {
    expect(expressions().length).toBeGreaterThan(30)
    for (const expr of expressions()) expect([expr, unknownIn(expr)]).toEqual([expr, []])
  })

  it('filters every query by the selected servers of the selected data source', () => {
    for (const expr of expressions()) expect(expr).toContain('instance=~"$instance"')
    for (const { datasource, title } of graphs()) {
      expect([title, datasource?.uid]).toEqual([title, '${datasource}'])
    }
  })

  it('describes every panel, and no panels overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { title, description } of graphs()) {
      expect([title, description]).toEqual([title, expect.stringMatching(/\.$/)])
    }
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })

  it.skipIf(!hasPromtool())('has valid expressions', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-dashboard-'))
    const file = path.join(directory, 'rules.json')
    const recorded = expressions().map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }))
    await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }))
    expect(() => promtool('check', 'rules', file)).not.toThrow()
    await rm(directory, { recursive: true })
  })
})

function promtool(...words: readonly string[]): void {
  execFileSync('promtool', words, { stdio: 'pipe' })
}

function hasPromtool(): boolean {
  try {
    promtool('--version')
    return true
  } catch {
    return false
  }
}
