import { type JsonValue, objectOf } from 'flotilla'
import type { FieldError, Strategy } from 'flotilla/planes'
import { parametersErrors } from './parameters-errors.ts'
import { referenceErrors } from './reference-errors.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** The rules of claims of snapshots. */
export const SNAPSHOT_CLAIM_STRATEGY: Strategy = {
  validate: unlessUnchanged(({ spec }) => claimSpecErrors('spec', spec)),
}

/** The violations of the spec of a claim, in a claim or in a template. */
export function claimSpecErrors(field: string, spec: JsonValue | undefined): readonly FieldError[] {
  const { snapshotClassName, parameters } = objectOf(spec)
  return [
    // An empty name means the default class.
    ...referenceErrors(`${field}.snapshotClassName`, snapshotClassName || undefined),
    ...parametersErrors(`${field}.parameters`, parameters),
  ]
}
