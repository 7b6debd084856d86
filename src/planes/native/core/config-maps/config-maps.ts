import { isJsonObject } from '../../../../lib/json/json.ts'
import { invalidValue, tooLong } from '../../../errors/field-errors.ts'
import type { ApiObject } from '../../../model/api-object.ts'
import type { FieldError } from '../../../model/field-error.ts'
import type { NativeResource } from '../../../model/native-resource.ts'
import { nativeType } from '../../native-type.ts'
import { AGE_COLUMN, countColumn, NAME_COLUMN } from '../../printer-columns.ts'
import { BYTES, flag, mapOf, TEXT } from '../../schemas/field-schemas.ts'
import { base64Errors, compactBase64 } from '../base64-values.ts'
import { dataBytes, dataKeyErrors, MAX_DATA_BYTES } from '../data-keys.ts'
import { immutableDataErrors } from '../immutable-data.ts'

const TYPE = nativeType({
  group: '',
  kind: 'ConfigMap',
  plural: 'configmaps',
  definitions: 'io.k8s.api.core.v1',
  shortNames: ['cm'],
  namespaced: true,
  description: 'Configuration data for programs to read.',
  properties: {
    binaryData: mapOf(BYTES, 'Binary values by key, in base64. No key may also occur in data.'),
    data: mapOf(TEXT, 'Text values by key. Binary values belong in binaryData.'),
    immutable: flag('Whether updates may change only the metadata. It cannot be unset.'),
  },
  printerColumns: [
    NAME_COLUMN,
    countColumn('Data', ['data', 'binaryData'], 'Number of values.'),
    AGE_COLUMN,
  ],
})

function sharedKeyErrors({ data, binaryData }: ApiObject): readonly FieldError[] {
  if (!isJsonObject(data) || !isJsonObject(binaryData)) return []
  return Object.keys(data)
    .filter((key) => Object.hasOwn(binaryData, key))
    .map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
}

function validate(object: ApiObject, old: ApiObject | null): readonly FieldError[] {
  const { data, binaryData } = object
  const total = dataBytes(data, 'utf8') + dataBytes(binaryData, 'base64')
  return [
    ...(old === null ? [] : immutableDataErrors(object, old, ['data', 'binaryData'])),
    ...dataKeyErrors('data', data),
    ...sharedKeyErrors(object),
    ...dataKeyErrors('binaryData', binaryData),
    ...base64Errors('binaryData', binaryData),
    ...(total > MAX_DATA_BYTES ? [tooLong('', MAX_DATA_BYTES)] : []),
  ]
}

function prepare(object: ApiObject): ApiObject {
  const { binaryData } = object
  return isJsonObject(binaryData) ? { ...object, binaryData: compactBase64(binaryData) } : object
}

/** Config maps. */
export const CONFIG_MAPS: NativeResource = {
  type: TYPE,
  strategy: { prepareCreate: prepare, prepareUpdate: prepare, validate },
}
