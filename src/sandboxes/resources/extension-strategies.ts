import { objectOf } from 'flotilla'
import type { ApiObject, FieldError, Strategy } from 'flotilla/planes'
import { volumeClaimErrors, volumeClaimNames } from './blueprint-errors.ts'
import { referenceErrors } from './reference-errors.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** The rules of pools: the name of the template. */
export const SANDBOX_WARM_POOL_STRATEGY: Strategy = {
  validate: unlessUnchanged((object) => nameErrors(object, 'sandboxTemplateRef')),
}

/** The rules of claims of sandboxes: the names of the pool and of volumes. */
export const SANDBOX_CLAIM_STRATEGY: Strategy = {
  validate: unlessUnchanged((object) => {
    const { volumeClaimTemplates } = objectOf(object['spec'])
    return [
      ...nameErrors(object, 'warmPoolRef'),
      ...volumeClaimErrors(volumeClaimNames(volumeClaimTemplates)),
    ]
  }),
}

function nameErrors({ spec }: ApiObject, field: string): readonly FieldError[] {
  const reference = objectOf(objectOf(spec)[field])
  return referenceErrors(`spec.${field}.name`, reference['name'])
}
