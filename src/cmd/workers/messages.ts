import type { Registry } from 'prom-client'

/** The metrics of a process. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The result of `/readyz` of one process. */
export interface ReadyAnswer {
  readonly ok: boolean
  readonly checks: Readonly<Record<string, string>>
}

/** The answers of a worker by the questions of its supervisor. */
export interface Answers {
  readonly metrics: ProcessMetrics
  readonly ready: ReadyAnswer
  /** The problem of the check with the name. */
  readonly check: { readonly problem: string | null }
}

/** A message of a supervisor. */
export interface Question {
  readonly ask: keyof Answers
  readonly id: number
  /** The name of the check. */
  readonly name: string
}

/** A check of the health of a worker. */
export interface CheckName {
  readonly name: string
  readonly isVital: boolean
}

/** A message of a worker. */
export type WorkerMessage =
  | { readonly type: 'log'; readonly lines: string }
  | { readonly type: 'ready'; readonly port: number; readonly checks: readonly CheckName[] }
  | { readonly type: 'answer'; readonly id: number; readonly value: Answers[keyof Answers] | null }
