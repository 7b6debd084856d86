import { inspect } from 'node:util'

/** A check that takes minutes or needs uncommon tools, so `npm test` does not run it. */
export interface Drill {
  readonly summary: string
  readonly cases: readonly DrillCase[]
  /** Whether all cases run at the same time. They share nothing, and wait most of the time. */
  readonly isConcurrent?: boolean
  /** Receives the names of the wanted cases before the first one. */
  readonly prepare?: (names: readonly string[]) => void
  /** Ends what the cases share. Called once, after the last case. */
  readonly close?: () => PromiseLike<void>
}

export interface DrillCase {
  readonly name: string
  /** Rejects if the case fails. Throws {@link Skipped} if this machine cannot run it. */
  readonly run: () => Promise<void>
}

/** This machine lacks a tool that a case needs. */
export class Skipped extends Error {}

export interface DrillResult {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Runs a drill, or some of its cases. Returns if it passed. */
export async function runDrill(
  name: string,
  drill: Drill,
  wanted: readonly string[],
): Promise<boolean> {
  const unknown = wanted.filter((one) => drill.cases.every((other) => other.name !== one))
  if (unknown.length > 0) {
    const known = drill.cases.map((one) => one.name).join(', ')
    console.log(`drill ${name} has no case ${unknown.join(', ')}, only ${known}`)
    return false
  }
  const cases = drill.cases.filter((one) => wanted.length === 0 || wanted.includes(one.name))
  drill.prepare?.(cases.map((one) => one.name))
  const run = drill.isConcurrent === true ? runConcurrently : runCases
  const { passed, failed, skipped } = await run(cases, console.log)
  await drill.close?.()
  console.log(`drill ${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
  return failed === 0
}

type Print = (line: string) => void

/** Runs the cases one after the other and prints one line for each. */
export async function runCases(cases: readonly DrillCase[], print: Print): Promise<DrillResult> {
  const outcomes: Outcome[] = []
  for (const one of cases) outcomes.push(await runCase(one, print))
  return countOutcomes(outcomes)
}

/** Runs the cases at the same time and prints a line when one ends. */
export async function runConcurrently(
  cases: readonly DrillCase[],
  print: Print,
): Promise<DrillResult> {
  return countOutcomes(await Promise.all(cases.map((one) => runCase(one, print))))
}

type Outcome = keyof DrillResult

async function runCase({ name, run }: DrillCase, print: Print): Promise<Outcome> {
  const start = performance.now()
  const { outcome, detail } = await outcomeOf(run)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  print(`${name.padEnd(24)} ${outcome} (${seconds} s)${detail}`)
  return outcome
}

function countOutcomes(outcomes: readonly Outcome[]): DrillResult {
  const count = (wanted: Outcome): number => outcomes.filter((each) => each === wanted).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

async function outcomeOf(
  run: DrillCase['run'],
): Promise<{ readonly outcome: Outcome; readonly detail: string }> {
  try {
    await run()
    return { outcome: 'passed', detail: '' }
  } catch (error) {
    if (error instanceof Skipped) return { outcome: 'skipped', detail: `: ${error.message}` }
    return { outcome: 'failed', detail: `\n${inspect(error)}` }
  }
}
