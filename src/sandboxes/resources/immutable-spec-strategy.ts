import { objectOf } from 'flotilla'
import { type ApiObject, type FieldError, invalidValue, type Strategy } from 'flotilla/planes'
import { claimSpecErrors } from './snapshot-claim-strategy.ts'
import { referenceErrors } from './reference-errors.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** The rules of templates of claims, which cannot be changed: sandboxes have copies. */
export const SNAPSHOT_CLAIM_TEMPLATE_STRATEGY = immutableSpec((spec) =>
  claimSpecErrors('spec.spec', spec['spec']),
)

/** The rules of snapshots, whose sandbox cannot be changed. */
export const SNAPSHOT_STRATEGY = immutableSpec((spec) =>
  referenceErrors('spec.sandboxRef.name', objectOf(spec['sandboxRef'])['name']),
)

function immutableSpec(
  errorsOf: (spec: ReturnType<typeof objectOf>) => readonly FieldError[],
): Strategy {
  return {
    validate: unlessUnchanged((object: ApiObject, old) => {
      const spec = objectOf(object['spec'])
      return old === null ? errorsOf(spec) : [invalidValue('spec', spec, 'field is immutable')]
    }),
  }
}
