import { isJsonObject } from '../../../../lib/json/json.ts'
import { invalidValue, tooLong } from '../../../errors/field-errors.ts'
import type { ApiObject } from '../../../model/api-object.ts'
import type { FieldError } from '../../../model/field-error.ts'
import type { NativeResource } from '../../../model/native-resource.ts'
import { nativeType } from '../../native-type.ts'
import { AGE_COLUMN, countColumn, NAME_COLUMN, textColumn } from '../../printer-columns.ts'
import { BYTES, flag, mapOf, TEXT, text } from '../../schemas/field-schemas.ts'
import { base64Errors, compactBase64 } from '../base64-values.ts'
import { dataBytes, dataKeyErrors, MAX_DATA_BYTES } from '../data-keys.ts'
import { immutableDataErrors } from '../immutable-data.ts'
import { secretContentErrors } from './secret-content.ts'

const TYPE = nativeType({
  group: '',
  kind: 'Secret',
  plural: 'secrets',
  definitions: 'io.k8s.api.core.v1',
  namespaced: true,
  description: 'Confidential data, such as passwords and keys.',
  properties: {
    data: mapOf(BYTES, 'Values by key, in base64.'),
    immutable: flag('Whether updates may change only the metadata. It cannot be unset.'),
    stringData: mapOf(
      TEXT,
      'Values as plain text. They are added to data when the secret is written. Never returned.',
    ),
    type: text('Type of the secret. Some types require certain keys. Opaque by default.'),
  },
  printerColumns: [
    NAME_COLUMN,
    textColumn('Type', '.type', 'Type of the secret.'),
    countColumn('Data', ['data'], 'Number of values.'),
    AGE_COLUMN,
  ],
  selectableFields: ['type'],
})

/** Moves stringData to data and sets the default type. */
function prepare(object: ApiObject): ApiObject {
  const { stringData, data, type, ...rest } = object
  const added = Object.entries(isJsonObject(stringData) ? stringData : {}).map(
    ([key, value]) =>
      [key, typeof value === 'string' ? Buffer.from(value).toString('base64') : value] as const,
  )
  const merged =
    added.length === 0
      ? data
      : Object.fromEntries([...Object.entries(isJsonObject(data) ? data : {}), ...added])
  return {
    ...rest,
    ...(merged !== undefined && { data: isJsonObject(merged) ? compactBase64(merged) : merged }),
    type: type === undefined || type === '' ? 'Opaque' : type,
  }
}

function validate(object: ApiObject, old: ApiObject | null): readonly FieldError[] {
  const { data, type = '' } = object
  const isChangedType = old !== null && type !== (old['type'] ?? '')
  return [
    ...(isChangedType ? [invalidValue('type', type, 'field is immutable')] : []),
    ...(old === null ? [] : immutableDataErrors(object, old, ['data'])),
    ...dataKeyErrors('data', data),
    ...base64Errors('data', data),
    ...(dataBytes(data, 'base64') > MAX_DATA_BYTES ? [tooLong('data', MAX_DATA_BYTES)] : []),
    ...secretContentErrors(object),
  ]
}

/** Secrets. */
export const SECRETS: NativeResource = {
  type: TYPE,
  strategy: { prepareCreate: prepare, prepareUpdate: prepare, validate },
}
