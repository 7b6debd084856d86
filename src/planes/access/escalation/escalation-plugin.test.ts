import { expect, test } from 'vitest'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { ResourceType } from '../../model/resource-type.ts'
import type { UserInfo } from '../../model/user-info.ts'
import {
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  testPlane,
  userNamed,
} from '../rbac/fixtures.ts'
import { createRbacAuthorizer } from '../rbac/rbac-authorizer.ts'
import { createEscalationPlugin } from './escalation-plugin.ts'

const maps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }
const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }
const RBAC = 'rbac.authorization.k8s.io'

const OBJECTS: readonly StoredObject[] = [
  clusterRole('maps', [maps]),
  clusterRole('secrets', [secrets]),
  role('dev', 'secrets', [secrets]),
  clusterRole('binder', [
    { apiGroups: [RBAC], resources: ['clusterroles'], verbs: ['bind'], resourceNames: ['secrets'] },
  ]),
  clusterRole('escalator', [{ apiGroups: [RBAC], resources: ['roles'], verbs: ['escalate'] }]),
  clusterRole('everything', [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ]),
  roleBinding('dev/ada', 'ClusterRole/maps', 'User:ada'),
  roleBinding('dev/binder', 'ClusterRole/binder', 'User:binder'),
  roleBinding('dev/escalator', 'ClusterRole/escalator', 'User:escalator'),
  clusterRoleBinding('root', 'ClusterRole/everything', 'User:root'),
]

const KINDS = {
  roles: 'Role',
  clusterroles: 'ClusterRole',
  rolebindings: 'RoleBinding',
  clusterrolebindings: 'ClusterRoleBinding',
} as const

interface Write {
  readonly user: UserInfo
  readonly plural: keyof typeof KINDS
  readonly content: object
  readonly old?: ApiObject
}

function objectOf({ plural, content }: Pick<Write, 'plural' | 'content'>): ApiObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: KINDS[plural],
    metadata: { name: 'new', ...(plural.startsWith('cluster') ? {} : { namespace: 'dev' }) },
    ...content,
  }
}

async function admit({ user, plural, content, old }: Write): Promise<void> {
  const authorizer = createRbacAuthorizer({ configurations: testPlane(...OBJECTS) })
  const object = objectOf({ plural, content })
  const request: AdmissionRequest = {
    plane: 'root',
    operation: old ? 'UPDATE' : 'CREATE',
    type: { group: RBAC, plural, kind: KINDS[plural] } as ResourceType,
    version: 'v1',
    subresource: '',
    namespace: object.metadata.namespace ?? '',
    name: 'new',
    object,
    oldObject: old ?? null,
    options: {},
    dryRun: false,
    user,
    warn: () => undefined,
  }
  await createEscalationPlugin(authorizer).validate?.(request)
}

const bind = (kind: string, name: string) => ({ roleRef: { apiGroup: RBAC, kind, name } })
const ada = userNamed('ada')

test('R32: a user grants the rights that it holds in the namespace', async () => {
  await admit({ user: ada, plural: 'roles', content: { rules: [maps] } })
  await admit({ user: ada, plural: 'rolebindings', content: bind('ClusterRole', 'maps') })
})

test('R32: a user cannot create a role with rights that it does not hold', async () => {
  await expect(
    admit({ user: ada, plural: 'roles', content: { rules: [maps, secrets] } }),
  ).rejects.toMatchObject({
    code: 403,
    message:
      'roles.rbac.authorization.k8s.io "new" is forbidden: user "ada" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  })
  await expect(
    admit({ user: ada, plural: 'clusterroles', content: { rules: [maps] } }),
  ).rejects.toMatchObject({ code: 403 })
})

test('R32: a user cannot bind a role with rights that it does not hold', async () => {
  for (const [plural, content] of [
    ['rolebindings', bind('ClusterRole', 'secrets')],
    ['rolebindings', bind('Role', 'secrets')],
    ['clusterrolebindings', bind('ClusterRole', 'maps')],
  ] as const) {
    await expect(admit({ user: ada, plural, content })).rejects.toMatchObject({ code: 403 })
  }
  await expect(
    admit({ user: ada, plural: 'rolebindings', content: bind('Role', 'gone') }),
  ).rejects.toMatchObject({ code: 404 })
})

test('R32: the verb bind permits to bind a role, in the namespaces of the right only', async () => {
  const binder = userNamed('binder')
  await admit({ user: binder, plural: 'rolebindings', content: bind('ClusterRole', 'secrets') })
  await expect(
    admit({ user: binder, plural: 'clusterrolebindings', content: bind('ClusterRole', 'secrets') }),
  ).rejects.toMatchObject({ code: 403 })
  await expect(
    admit({ user: binder, plural: 'rolebindings', content: bind('ClusterRole', 'everything') }),
  ).rejects.toMatchObject({ code: 403 })
})

test('R32: the verb escalate permits to write any role of the resource', async () => {
  const escalator = userNamed('escalator')
  await admit({ user: escalator, plural: 'roles', content: { rules: [secrets] } })
  await expect(
    admit({ user: escalator, plural: 'clusterroles', content: { rules: [secrets] } }),
  ).rejects.toMatchObject({ code: 403 })
})

test('R32: an aggregated role needs all rights, because it can receive any', async () => {
  const content = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }
  await admit({ user: userNamed('root'), plural: 'clusterroles', content })
  await expect(admit({ user: ada, plural: 'clusterroles', content })).rejects.toMatchObject({
    code: 403,
  })
})

test('R32: members of system:masters grant everything', async () => {
  const master = userNamed('m', 'system:masters')
  await admit({ user: master, plural: 'clusterroles', content: { rules: [secrets] } })
})

test('R32: a change of finalizers and owners only grants nothing', async () => {
  const content = { rules: [secrets] }
  const old = objectOf({ plural: 'roles', content })
  const finalized = { ...old, metadata: { ...old.metadata, finalizers: ['a/b'] } }
  await admit({ user: ada, plural: 'roles', content, old: finalized })
  const labelled = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }
  await expect(admit({ user: ada, plural: 'roles', content, old: labelled })).rejects.toMatchObject(
    {
      code: 403,
    },
  )
})
