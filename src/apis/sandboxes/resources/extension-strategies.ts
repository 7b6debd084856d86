import type { Strategy } from '../../kube/model/native-resource.ts'
import { objectOf } from '../model/stored-fields.ts'
import { referenceErrors } from './reference-errors.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** The rules of pools: the name of the template. */
export const SANDBOX_WARM_POOL_STRATEGY: Strategy = withReference('sandboxTemplateRef')

/** The rules of claims of sandboxes: the name of the pool. */
export const SANDBOX_CLAIM_STRATEGY: Strategy = withReference('warmPoolRef')

function withReference(name: string): Strategy {
  return {
    validate: unlessUnchanged(({ spec }) => {
      const reference = objectOf(objectOf(spec)[name])
      return referenceErrors(`spec.${name}.name`, reference['name'])
    }),
  }
}
