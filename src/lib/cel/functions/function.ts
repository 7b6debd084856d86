import { parseSignature, type Signature } from '../types/parse-type.ts'
import type { CelValue } from '../values/value.ts'
import type { Spend } from '../values/compare-values.ts'

/**
 * Computes the result, or returns a call that can take long; the arguments have the types of the
 * signature.
 */
export type Run = (args: readonly CelValue[], spend: Spend) => CelValue | LongCall

/** A call that has started and computes its result in parts. It charges for each part before its work. */
export class LongCall {
  readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }
}

/**
 * Computes the result in parts. The evaluation can pause at each `yield`, which states the steps of
 * the part that were not charged: Kubernetes has a lower price for some functions.
 */
export type Parts = PartsOf<CelValue>

export type PartsOf<Result> = Generator<number | undefined, Result, undefined>

/** The items that a function handles between two places where an evaluation can pause. */
export const ITEMS_PER_PART = 1000

/** A function whose calls can all take long. */
export interface LongRun {
  readonly parts: (args: readonly CelValue[], spend: Spend) => Parts
}

/** One signature of a function with its implementation. */
export interface Overload extends Signature {
  readonly run: Run
}

/** The overloads of functions by their names. */
export type Functions = ReadonlyMap<string, readonly Overload[]>

/** Signatures such as `string#contains(string): bool` with their implementations. */
export type Declarations = readonly (readonly [string, Run | LongRun])[]

/** Makes functions of declarations. */
export function functionsOf(declarations: Declarations): Functions {
  const functions = new Map<string, Overload[]>()
  for (const [signature, run] of declarations) {
    const overload = { ...parseSignature(signature), run: runOf(run) }
    const known = functions.get(overload.name)
    if (known) known.push(overload)
    else functions.set(overload.name, [overload])
  }
  return functions
}

function runOf(run: Run | LongRun): Run {
  return typeof run === 'function' ? run : (args, spend) => new LongCall(run.parts(args, spend))
}
