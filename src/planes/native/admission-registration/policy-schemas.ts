import type { Schema } from '../../model/schema.ts'
import {
  atomicList,
  atomicMap,
  choice,
  definition,
  keyedList,
  longInteger,
  mapList,
  text,
  textList,
  withDefault,
} from '../schemas/field-schemas.ts'
import { CONDITION } from '../schemas/condition.ts'
import { LABEL_SELECTOR } from '../schemas/label-selector.ts'
import {
  ADMISSION_DEFINITIONS,
  FAILURE_POLICY,
  MATCH_CONDITIONS,
  MATCH_POLICY,
  RULE_PROPERTIES,
} from './webhook-schemas.ts'

const namedRule = (definitions: string): Schema =>
  atomicMap(
    definition(`${definitions}.NamedRuleWithOperations`, {
      description: 'Operations on resources, and optionally the names of the objects.',
      properties: {
        ...RULE_PROPERTIES,
        resourceNames: textList('Names of the objects. Empty selects every object.'),
      },
    }),
  )

/** The selection of requests, for the group version with these definitions. */
export const matchResources = (definitions: string): Schema => {
  const rule = namedRule(definitions)
  return atomicMap(
    definition(`${definitions}.MatchResources`, {
      description: 'Selects requests by resource, namespace and labels.',
      properties: {
        excludeResourceRules: atomicList(rule, 'Rules whose requests are not selected.'),
        matchPolicy: MATCH_POLICY,
        namespaceSelector: withDefault(LABEL_SELECTOR, {}),
        objectSelector: withDefault(LABEL_SELECTOR, {}),
        resourceRules: atomicList(rule, 'Rules whose requests are selected.'),
      },
    }),
  )
}

const MATCH_RESOURCES = matchResources(ADMISSION_DEFINITIONS)

const VALIDATION = definition(`${ADMISSION_DEFINITIONS}.Validation`, {
  description: 'A rule in CEL.',
  properties: {
    expression: text('CEL expression with a boolean result. False is a violation.'),
    message: text('Message of a violation.'),
    messageExpression: text('CEL expression whose result is the message.'),
    reason: text('Reason of the response: Unauthorized, Forbidden, Invalid, ...'),
  },
  required: ['expression'],
})

/** A named expression, for the group version with these definitions. */
export const variable = (definitions: string): Schema =>
  atomicMap(
    definition(`${definitions}.Variable`, {
      description: 'A named CEL expression. Other expressions refer to it as variables.name.',
      properties: { expression: text('CEL expression.'), name: text('Name of the variable.') },
      required: ['name', 'expression'],
    }),
  )

/** The kind of parameters, for the group version with these definitions. */
export const paramKind = (definitions: string): Schema =>
  atomicMap(
    definition(`${definitions}.ParamKind`, {
      description: 'The kind of the parameters of a policy.',
      properties: {
        apiVersion: text('Group and version of the parameters.'),
        kind: text('Kind of the parameters.'),
      },
    }),
  )

/** The parameters of a binding, for the group version with these definitions. */
export const paramRef = (definitions: string): Schema =>
  atomicMap(
    definition(`${definitions}.ParamRef`, {
      description: 'The parameters of the policy.',
      properties: {
        name: text('Name of the parameter object.'),
        namespace: text('Namespace of the parameters. The namespace of the object by default.'),
        parameterNotFoundAction: choice(['Allow', 'Deny'], 'Effect of missing parameters.'),
        selector: LABEL_SELECTOR,
      },
    }),
  )

/** The spec of an admission policy. */
export const POLICY_SPEC: Schema = definition(
  `${ADMISSION_DEFINITIONS}.ValidatingAdmissionPolicySpec`,
  {
    description: 'The rules of a policy.',
    properties: {
      auditAnnotations: atomicList(
        definition(`${ADMISSION_DEFINITIONS}.AuditAnnotation`, {
          description: 'An annotation of audit events.',
          properties: {
            key: text('Key of the annotation.'),
            valueExpression: text('CEL expression whose result is the value.'),
          },
          required: ['key', 'valueExpression'],
        }),
        'Annotations of audit events.',
      ),
      failurePolicy: FAILURE_POLICY,
      matchConditions: MATCH_CONDITIONS,
      matchConstraints: MATCH_RESOURCES,
      paramKind: paramKind(ADMISSION_DEFINITIONS),
      validations: atomicList(VALIDATION, 'Rules that every selected request must meet.'),
      variables: keyedList(
        variable(ADMISSION_DEFINITIONS),
        ['name'],
        'Named expressions for the rules.',
      ),
    },
  },
)

/** The status of an admission policy. */
export const POLICY_STATUS: Schema = definition(
  `${ADMISSION_DEFINITIONS}.ValidatingAdmissionPolicyStatus`,
  {
    description: 'The observed state of a policy.',
    properties: {
      conditions: mapList(CONDITION, ['type'], 'Observations about the policy.'),
      observedGeneration: longInteger('Generation of the policy that was observed.'),
      typeChecking: definition(`${ADMISSION_DEFINITIONS}.TypeChecking`, {
        description: 'The result of checking the types of the expressions.',
        properties: {
          expressionWarnings: atomicList(
            definition(`${ADMISSION_DEFINITIONS}.ExpressionWarning`, {
              description: 'A warning about an expression.',
              properties: {
                fieldRef: text('Path of the expression.'),
                warning: text('The warning.'),
              },
              required: ['fieldRef', 'warning'],
            }),
            'Warnings about the expressions.',
          ),
        },
      }),
    },
  },
)

/** The spec of a policy's binding. */
export const BINDING_SPEC: Schema = definition(
  `${ADMISSION_DEFINITIONS}.ValidatingAdmissionPolicyBindingSpec`,
  {
    description: 'The requests to which a policy applies, and its parameters.',
    properties: {
      matchResources: MATCH_RESOURCES,
      paramRef: paramRef(ADMISSION_DEFINITIONS),
      policyName: text('Name of the policy.'),
      validationActions: {
        type: 'array',
        description: 'Effects of a violation: Deny, Warn, Audit.',
        items: choice(['Deny', 'Warn', 'Audit'], 'Effect of a violation.'),
        'x-kubernetes-list-type': 'set',
      },
    },
  },
)
