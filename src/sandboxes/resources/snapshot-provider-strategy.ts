import { type JsonObject, type JsonValue, objectOf } from 'flotilla'
import { type FieldError, invalidValue, requiredValue, type Strategy } from 'flotilla/planes'
import { STORES } from '../types/snapshot-provider-type.ts'
import { emptyErrors, pathErrors } from './text-errors.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** The rules of providers of snapshots: exactly one store. */
export const SNAPSHOT_PROVIDER_STRATEGY: Strategy = {
  validate: unlessUnchanged(({ spec }) => {
    const fields = objectOf(spec)
    return [
      ...emptyErrors('spec.providerType', fields['providerType']),
      ...storeErrors(fields),
      ...bucketErrors(objectOf(fields['s3'])),
      ...emptyErrors('spec.gcs.bucket', objectOf(fields['gcs'])['bucket']),
      ...emptyErrors('spec.local.path', objectOf(fields['local'])['path']),
      ...pathErrors('spec.local.path', objectOf(fields['local'])['path']),
    ]
  }),
}

function storeErrors(spec: JsonObject): readonly FieldError[] {
  const set = STORES.filter((name) => spec[name] !== undefined)
  const detail = `exactly one of ${STORES.join(', ')} must be set`
  if (set.length === 0) return [requiredValue('spec', detail)]
  return set.length === 1 ? [] : [invalidValue('spec', set.join(' and '), detail)]
}

function bucketErrors({ bucket, endpoint, prefix }: JsonObject): readonly FieldError[] {
  return [
    ...emptyErrors('spec.s3.bucket', bucket),
    ...pathErrors('spec.s3.prefix', prefix),
    ...endpointErrors('spec.s3.endpoint', endpoint),
  ]
}

function endpointErrors(field: string, value: JsonValue | undefined): readonly FieldError[] {
  if (typeof value !== 'string') return []
  const protocol = URL.canParse(value) ? new URL(value).protocol : ''
  if (protocol === 'https:' || protocol === 'http:') return []
  return [invalidValue(field, value, 'must be a URL, such as https://s3.example.com')]
}
