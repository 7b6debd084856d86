import type { ScalarField, SearchFields } from '../../store/search/bind/fields.ts'

const TEXTS = [
  'id',
  'level',
  'request_id',
  'impersonated_user',
  'tenant',
  'source_address',
  'user_agent',
  'verb',
  'method',
  'path',
  'route',
  'plane',
  'api_group',
  'resource',
  'subresource',
  'namespace',
  'name',
  'resource_id',
  'outcome',
  'dry_run',
  'code',
  'detail',
] as const
const NUMBERS = ['status', 'duration_ms', 'dropped'] as const

/** The search fields of the audit log. */
export const AUDIT_FIELDS: SearchFields = {
  scalars: new Map<string, ScalarField>([
    ['time', { type: 'time', column: 'time' }],
    ['user', { type: 'text', column: 'user_name' }],
    ...TEXTS.map((name) => [name, { type: 'text', column: name }] as const),
    ...NUMBERS.map((name) => [name, { type: 'int32', column: name }] as const),
  ]),
  derived: new Map(),
  labels: false,
  spec: false,
  conditions: null,
}
