import type { NativeResource } from '../../../model/native-resource.ts'
import { initialObject } from '../../initial-object.ts'
import { nativeType } from '../../native-type.ts'
import { AGE_COLUMN, countColumn, NAME_COLUMN } from '../../printer-columns.ts'
import { TOKEN_REQUEST_SCHEMA } from '../../reviews/authentication-types.ts'
import { atomicList, flag, keyedList } from '../../schemas/field-schemas.ts'
import { LOCAL_OBJECT_REFERENCE, OBJECT_REFERENCE } from '../../schemas/references.ts'
import { INITIAL_NAMESPACES } from '../namespaces/initial-namespaces.ts'

const TYPE = nativeType({
  group: '',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  definitions: 'io.k8s.api.core.v1',
  shortNames: ['sa'],
  namespaced: true,
  description: 'An identity of programs. Tokens of a service account authenticate as it.',
  properties: {
    automountServiceAccountToken: flag('Whether pods receive a token. No plane has pods.'),
    imagePullSecrets: atomicList(
      LOCAL_OBJECT_REFERENCE,
      'Secrets with credentials for registries of images. No plane has pods.',
    ),
    secrets: keyedList(
      OBJECT_REFERENCE,
      ['name'],
      'Secrets that programs with this identity may mount.',
    ),
  },
  printerColumns: [
    NAME_COLUMN,
    countColumn('Secrets', ['secrets'], 'Number of secrets.'),
    AGE_COLUMN,
  ],
  subresources: [
    {
      name: 'token',
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
      schema: TOKEN_REQUEST_SCHEMA,
    },
  ],
})

/** Service accounts. Every namespace has one named `default`. */
export const SERVICE_ACCOUNTS: NativeResource = {
  type: TYPE,
  initialObjects: (plane) =>
    INITIAL_NAMESPACES.map((namespace) =>
      initialObject(plane, TYPE, { name: 'default', namespace }),
    ),
}
