/** A rule of a SelfSubjectRulesReview. */
export interface AccessRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  /** Plurals, also with a subresource such as `fleets/scale`. */
  readonly resources?: readonly string[]
  /** The objects of the rule; absent for all. */
  readonly resourceNames?: readonly string[]
}

/** The request of a caller. */
export interface Operation {
  readonly verb: string
  readonly group: string
  /** A plural, also with a subresource. */
  readonly resource: string
  /** The name of the object, and its ID if it has one. */
  readonly names?: readonly string[]
}

/** Whether rules allow an operation, as the server decides. */
export function isAllowed(rules: readonly AccessRule[], operation: Operation): boolean {
  const { verb, group, resource, names = [] } = operation
  const [, subresource] = resource.split('/')
  const resources = [resource, '*', ...(subresource === undefined ? [] : [`*/${subresource}`])]
  return rules.some(
    (rule) =>
      hasAny(rule.verbs, [verb, '*']) &&
      hasAny(rule.apiGroups, [group, '*']) &&
      hasAny(rule.resources, resources) &&
      (rule.resourceNames === undefined || hasAny(rule.resourceNames, names)),
  )
}

function hasAny(texts: readonly string[] = [], wanted: readonly string[]): boolean {
  return texts.some((text) => wanted.includes(text))
}
