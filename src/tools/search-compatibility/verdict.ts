import { readFileSync } from 'node:fs'
import type { Construct } from './constructs.ts'

/** The sorted names of the sample clusters that match, or the status of an error. */
export type Result = readonly string[] | { readonly status: number }

/** The recorded results of HyperFleet's servers. */
export interface Recording {
  readonly clusters: readonly {
    readonly name: string
    readonly spec: object
    readonly labels: Readonly<Record<string, string>>
    readonly reports: string | null
  }[]
  readonly cases: readonly {
    readonly q: string
    readonly main: Result
    readonly 'v0.1.1': Result
  }[]
}

/** Reads the recording in the vectors of the tests. */
export function readRecording(): Recording {
  const file = new URL('../../../test/vectors/tsl-upstream.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** A result in the form of a construct: names without their prefix, or the status. */
export function shortResult(result: Result): string {
  if ('status' in result) return String(result.status)
  return result.map((name) => name.replace('tsm-', '')).join(' ')
}

/** The results of a construct on HyperFleet's servers; undefined if they are unknown. */
export function upstreamOf({ search, main, v01 }: Construct, { cases }: Recording) {
  const recorded = cases.find(({ q }) => q === search)
  if (recorded === undefined) return { main, v01, isRecorded: false }
  return {
    main: shortResult(recorded.main),
    v01: shortResult(recorded['v0.1.1']),
    isRecorded: true,
  }
}

export type Verdict = 'same' | 'more' | 'different' | 'unknown'

/** How the result here compares with one of HyperFleet. Errors of any status are the same. */
export function verdictOf(here: string, upstream: string | undefined): Verdict {
  if (upstream === undefined) return 'unknown'
  if (isError(upstream)) return isError(here) ? 'same' : 'more'
  return here === upstream ? 'same' : 'different'
}

function isError(result: string): boolean {
  return /^[45]\d\d$/.test(result)
}
