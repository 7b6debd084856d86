import { isJsonObject } from '../../../../lib/json/json.ts'
import { compareText } from '../../../../lib/text/compare-text.ts'
import type { ApiObject } from '../../../model/api-object.ts'
import type { Schema } from '../../../model/schema.ts'
import { nativeType } from '../../native-type.ts'
import { AGE_COLUMN, computedColumn, NAME_COLUMN } from '../../printer-columns.ts'
import {
  atomicList,
  atomicMap,
  definition,
  mapOf,
  text,
  textList,
} from '../../schemas/field-schemas.ts'
import { jsonText } from '../../../../lib/json/json-text.ts'

const QUANTITY: Schema = {
  definition: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  description: 'A number with an optional suffix, such as 10, 500m or 1Gi.',
  'x-kubernetes-int-or-string': true,
}

const SCOPE_REQUIREMENT = definition('io.k8s.api.core.v1.ScopedResourceSelectorRequirement', {
  description: 'A requirement on the scope of objects.',
  properties: {
    operator: text('In, NotIn, Exists or DoesNotExist.'),
    scopeName: text('Name of the scope.'),
    values: textList('Values for In and NotIn.'),
  },
  required: ['scopeName', 'operator'],
})

const SPEC = definition('io.k8s.api.core.v1.ResourceQuotaSpec', {
  description: 'The limits of a namespace.',
  properties: {
    hard: mapOf(QUANTITY, 'Limits by resource, such as count/configmaps. Counts are enforced.'),
    scopeSelector: atomicMap(
      definition('io.k8s.api.core.v1.ScopeSelector', {
        description: 'Selects objects by scope.',
        properties: { matchExpressions: atomicList(SCOPE_REQUIREMENT, 'Requirements on scopes.') },
      }),
    ),
    scopes: textList('Scopes that objects must have in order to count.'),
  },
})

const STATUS = definition('io.k8s.api.core.v1.ResourceQuotaStatus', {
  description: 'The enforced limits and the usage.',
  properties: {
    hard: mapOf(QUANTITY, 'The enforced limits.'),
    used: mapOf(QUANTITY, 'The current usage.'),
  },
})

/** Usage and limit of each resource; `isLimit` selects the resources that begin with `limits.`. */
function shownUsage({ status }: ApiObject, isLimit: boolean): string {
  if (!isJsonObject(status)) return ''
  const { hard, used } = status
  if (!isJsonObject(hard)) return ''
  return Object.entries(hard)
    .filter(([resource]) => resource.startsWith('limits.') === isLimit)
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([resource, limit]) => {
      const usage = isJsonObject(used) ? used[resource] : undefined
      return `${resource}: ${shown(usage ?? '0')}/${shown(limit)}`
    })
    .join(', ')
}

function shown(quantity: unknown): string {
  return typeof quantity === 'string' ? quantity : jsonText(quantity)
}

/** The type of quotas. */
export const RESOURCE_QUOTA_TYPE = nativeType({
  group: '',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  definitions: 'io.k8s.api.core.v1',
  shortNames: ['quota'],
  namespaced: true,
  description: 'Limits the number of objects in a namespace.',
  properties: { spec: SPEC, status: STATUS },
  printerColumns: [
    NAME_COLUMN,
    computedColumn('Request', 'Usage and limit of resources.', (object) =>
      shownUsage(object, false),
    ),
    computedColumn('Limit', 'Usage and limit of limits.', (object) => shownUsage(object, true)),
    AGE_COLUMN,
  ],
  hasStatus: true,
  statusSetsMetadata: true,
})
