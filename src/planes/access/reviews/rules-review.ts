import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { badRequest } from '../../errors/failures.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import { SELF_SUBJECT_RULES_REVIEW_TYPE } from '../../native/reviews/authorization-types.ts'
import type { RuleResolver, UserRules } from '../rbac/rbac-authorizer.ts'
import { textOf } from '../../../lib/json/json-fields.ts'

/** The review of all rules of the caller in a namespace. */
export function createRulesReview(resolver: Pick<RuleResolver, 'rulesFor'>): NativeResource {
  return {
    type: SELF_SUBJECT_RULES_REVIEW_TYPE,
    review: async (object, { plane, user }) => {
      const spec = isJsonObject(object['spec']) ? object['spec'] : {}
      const namespace = textOf(spec['namespace'])
      if (namespace === '') throw badRequest('no namespace on request')
      return { ...object, status: statusOf(await resolver.rulesFor(plane, user, namespace)) }
    },
  }
}

function statusOf({ rules, errors }: UserRules): JsonObject {
  return {
    resourceRules: rules
      .filter(({ resources }) => resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames.length > 0 && { resourceNames }),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: errors.length > 0,
    ...(errors.length > 0 && { evaluationError: errors.join(', ') }),
  }
}
