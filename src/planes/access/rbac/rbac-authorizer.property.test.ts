import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uncoveredRules } from '../escalation/uncovered-rules.ts'
import {
  clusterRole,
  clusterRoleBinding,
  operation,
  role,
  roleBinding,
  testPlane,
  userNamed,
} from './fixtures.ts'
import { type PolicyRule, policyRulesOf } from './policy-rule.ts'
import { createRbacAuthorizer } from './rbac-authorizer.ts'
import { ruleAllows } from './rule-allows.ts'

const VERBS = ['get', 'list', '*']
const GROUPS = ['', 'apps', '*']
const RESOURCES = ['configmaps', 'configmaps/status', '*/status', 'secrets', '*']
const NAMES = ['a', 'b']
const NAMESPACES = ['dev', 'prod']
const ROLES = ['one', 'two', 'three']
const SUBJECTS = ['User:ada', 'Group:ops', 'User:eve', 'ServiceAccount:dev/bot']

const list = (values: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 })

const rule = fc.record({
  verbs: list(VERBS),
  apiGroups: list(GROUPS),
  resources: list(RESOURCES),
  resourceNames: list(NAMES),
})

const requested = fc.record({
  user: fc.constantFrom(
    userNamed('ada', 'ops'),
    userNamed('eve'),
    userNamed('system:serviceaccount:dev:bot'),
  ),
  text: fc.constantFrom('get configmaps', 'list secrets', 'get configmaps.apps/status'),
  namespace: fc.constantFrom('', ...NAMESPACES),
  name: fc.constantFrom('', ...NAMES),
})

const bound = fc.record({
  /** Empty for a cluster role binding. */
  namespace: fc.constantFrom('', ...NAMESPACES),
  kind: fc.constantFrom('Role', 'ClusterRole'),
  role: fc.constantFrom(...ROLES),
  subject: fc.constantFrom(...SUBJECTS),
})

function namesOf({ name, groups }: ReturnType<typeof userNamed>): readonly string[] {
  const account = name.replace(/^system:serviceaccount:(.*):(.*)$/, 'ServiceAccount:$1/$2')
  return [`User:${name}`, account, ...groups.map((group) => `Group:${group}`)]
}

test('R32: the index of grants decides as a comparison of all bindings does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rule, { minLength: 3, maxLength: 3 }),
      fc.array(rule, { minLength: 3, maxLength: 3 }),
      fc.array(bound, { maxLength: 6 }),
      requested,
      async (clusterRules, localRules, bindings, { user, text, namespace, name }) => {
        const objects = [
          ...ROLES.flatMap((role, index) => [clusterRole(role, [clusterRules[index] ?? {}])]),
          ...ROLES.map((name, index) => role('dev', name, [localRules[index] ?? {}])),
          ...bindings.map((binding, index) => {
            const of = `${binding.kind}/${binding.role}`
            return binding.namespace === ''
              ? clusterRoleBinding(`b${index}`, of, binding.subject)
              : roleBinding(`${binding.namespace}/b${index}`, of, binding.subject)
          }),
        ]
        const attributes = operation(user, text, { namespace, name })
        const expected = bindings.some((binding) => {
          if (binding.namespace !== '' && binding.namespace !== namespace) return false
          if (!namesOf(user).includes(binding.subject)) return false
          const isLocal = binding.kind === 'Role'
          if (isLocal && binding.namespace !== 'dev') return false
          const rules = isLocal ? localRules : clusterRules
          const [parsed] = policyRulesOf([rules[ROLES.indexOf(binding.role)] ?? {}])
          return parsed !== undefined && ruleAllows(parsed, attributes)
        })
        const authorizer = createRbacAuthorizer({ configurations: testPlane(...objects) })
        expect((await authorizer.authorize(attributes)).allowed).toBe(expected)
      },
    ),
  )
})

test('R32: covered rules allow nothing that their owner may not do', () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 3 }),
      fc.array(rule, { maxLength: 2 }),
      requested,
      (owned, granted, { user, text, name }) => {
        const owner: readonly PolicyRule[] = policyRulesOf(owned)
        const given = policyRulesOf(granted)
        if (uncoveredRules(owner, given)?.length !== 0) return
        const attributes = operation(user, text, { name })
        const allows = (rules: readonly PolicyRule[]) =>
          rules.some((one) => ruleAllows(one, attributes))
        if (allows(given)) expect(allows(owner)).toBe(true)
      },
    ),
    { numRuns: 1000 },
  )
})
