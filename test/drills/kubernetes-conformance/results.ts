import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import type { Results, SuiteResults } from '../../../src/tools/planes-differences/suite-results.ts'
import type { Release } from './programs.ts'

/** The results of a run, which docs/planes.md states, with what differs from the lists of the suite. */
export interface Comparison extends SuiteResults {
  readonly errors: readonly string[]
}

type Suite = 'e2e' | 'test/cmd' | 'definitions'

const FILE = new URL('results.json', import.meta.url)

/**
 * Prints the results and checks that nothing differs from the lists. Other counts than the committed
 * ones are written to the file, and fail the run.
 */
export async function recordResults(
  release: Release,
  suite: Suite,
  { errors, ...results }: Comparison,
): Promise<void> {
  console.log(tableOf(results))
  assert.deepEqual(errors, [])
  const all: Results = JSON.parse(await readFile(FILE, 'utf8'))
  const changed = { ...all, [release]: { ...all[release], [suite]: results } }
  await writeFile(FILE, `${JSON.stringify(changed, null, 2)}\n`)
  assert.deepEqual(results, all[release]?.[suite], 'results.json has changed: commit it')
}

function tableOf({ passed, others }: SuiteResults): string {
  const row = (name: string, ...cells: readonly (number | string)[]): string =>
    name.padEnd(24) + cells.map((cell) => String(cell).padStart(16)).join('')
  return [
    row('', 'applicable', 'kube-apiserver', 'planes'),
    ...Object.entries(passed).map(([name, { applicable, kubernetes, planes }]) =>
      row(name, applicable, kubernetes ?? '-', planes),
    ),
    ...Object.entries(others).flatMap(([unit, reasons]) =>
      Object.entries(reasons).map(([reason, count]) => row(`${count} ${unit}`) + reason),
    ),
  ].join('\n')
}

/** The number of names of each reason. */
export function countByReason(
  lists: Readonly<Record<string, readonly unknown[]>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(lists).map(([reason, { length }]) => [reason, length]))
}
