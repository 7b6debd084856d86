import { isJsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { PrinterColumn } from '../../model/resource-type.ts'
import { nativeType } from '../native-type.ts'
import { AGE_COLUMN, computedColumn, NAME_COLUMN, wide } from '../printer-columns.ts'
import { RBAC_DEFINITIONS, RBAC_GROUP, ROLE_REF, SUBJECTS } from './rbac-schemas.ts'
import { textOf } from '../../../lib/json/json-fields.ts'

function shownRole({ roleRef }: ApiObject): string {
  return isJsonObject(roleRef) ? `${textOf(roleRef['kind'])}/${textOf(roleRef['name'])}` : '/'
}

function subjectNames({ subjects }: ApiObject, kind: string): string {
  if (!Array.isArray(subjects)) return ''
  return subjects
    .filter((subject) => isJsonObject(subject))
    .filter((subject) => subject['kind'] === kind)
    .map((subject) => {
      const name = textOf(subject['name'])
      return kind === 'ServiceAccount' ? `${textOf(subject['namespace'])}/${name}` : name
    })
    .join(', ')
}

const PRINTER_COLUMNS: readonly PrinterColumn[] = [
  NAME_COLUMN,
  computedColumn('Role', 'Kind and name of the role.', shownRole),
  AGE_COLUMN,
  wide(computedColumn('Users', 'Names of the users.', (object) => subjectNames(object, 'User'))),
  wide(computedColumn('Groups', 'Names of the groups.', (object) => subjectNames(object, 'Group'))),
  wide(
    computedColumn('ServiceAccounts', 'Namespaces and names of the service accounts.', (object) =>
      subjectNames(object, 'ServiceAccount'),
    ),
  ),
]

const SHARED = {
  group: RBAC_GROUP,
  definitions: RBAC_DEFINITIONS,
  nameRule: 'path-segment',
  properties: { roleRef: ROLE_REF, subjects: SUBJECTS },
  required: ['roleRef'],
  printerColumns: PRINTER_COLUMNS,
} as const

/** The type of bindings in a namespace. */
export const ROLE_BINDING_TYPE = nativeType({
  ...SHARED,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
  description: 'Grants the permissions of a role in a namespace.',
})

/** The type of bindings in the whole plane. */
export const CLUSTER_ROLE_BINDING_TYPE = nativeType({
  ...SHARED,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
  description: 'Grants the permissions of a cluster role in the whole plane.',
})
