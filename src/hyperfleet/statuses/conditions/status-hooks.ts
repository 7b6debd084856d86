import { unreachable } from '../../../lib/assert.ts'
import type { RegisteredKind } from '../../../store/registry/kind.ts'
import type { StatusHooks } from '../../../store/registry/status-hooks.ts'
import { conditionType } from './condition-type.ts'
import { initialConditions } from './synthesis/initial-conditions.ts'
import { isFinalized } from './is-finalized.ts'
import { mappingVariables } from './mapping/mapping-variables.ts'
import { reflectTimes } from './reflect-times.ts'
import { requirementsOfResource } from './required-adapters.ts'
import { recomputeConditions } from './synthesis/recompute-conditions.ts'

/** Derives the conditions of a kind's resources from the reports of its adapters. */
export function statusHooks(kind: RegisteredKind): StatusHooks {
  const required = kind.requiredAdapters
  return {
    conditionsAfter: (write, now) => {
      switch (write.type) {
        case 'create':
          return initialConditions(now, write.requiredAdapters)
        case 'change': {
          const { resource, records } = write
          const variables = kind.mapping ? mappingVariables(resource, records) : null
          return recomputeConditions(kind, resource, {
            records,
            variables,
            cause: 'spec-change',
            now,
          })
        }
        case 'delete':
        case 'declaration': {
          const { resource, records } = write
          return recomputeConditions(kind, resource, { records, cause: 'spec-change', now })
        }
        default:
          return unreachable(write)
      }
    },
    withReportTimes: (resource, times) => {
      const { adapters } = requirementsOfResource(kind, resource, times)
      return reflectTimes(resource, adapters, times)
    },
    isFinalized: (resource, reports) => {
      const { adapters } = requirementsOfResource(kind, resource, reports)
      return isFinalized({ required: adapters, generation: resource.generation, reports })
    },
    adapterTypes: required.map(conditionType),
    unmetAdapters: ({ generation, conditions, requiredAdapters: declared, isDeleting }) => {
      const conditionOf = (adapter: string) =>
        conditions.find(({ type }) => type === conditionType(adapter))
      const reporting = isDeleting ? required.filter(conditionOf) : []
      const adapters = declared === null ? required : [...new Set([...declared, ...reporting])]
      return adapters.filter((adapter) => {
        const found = conditionOf(adapter)
        return found?.status !== 'True' || found.observed_generation !== generation
      })
    },
  }
}
