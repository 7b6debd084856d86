import { errorMessage } from '../../../lib/error-message.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { invalidValue, requiredValue, unsupportedValue } from '../../errors/field-errors.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { NativeResource, WriteContext } from '../../model/native-resource.ts'
import { dnsSubdomainMessages } from '../metadata/name-syntax.ts'
import { API_SERVICE_TYPE } from './api-service-type.ts'
import { addressOf, serverUrl, URL_ANNOTATION } from './server-address.ts'
import { textOf } from '../../../lib/json/json-fields.ts'

const MAX_GROUP_PRIORITY = 20_000
const MAX_VERSION_PRIORITY = 1000
const MAX_PORT = 65_535
const VERSION_PATTERN = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
const STATUSES = ['True', 'False', 'Unknown']

function priorityErrors(spec: JsonObject, member: string, max: number): readonly FieldError[] {
  const { [member]: priority = 0 } = spec
  if (typeof priority === 'number' && priority > 0 && priority <= max) return []
  return [invalidValue(`spec.${member}`, priority, `must be positive and less than ${max}`)]
}

function groupErrors(group: string, version: string): readonly FieldError[] {
  const errors: FieldError[] = []
  if (group === '' && version !== 'v1') {
    const message = 'only v1 may have an empty group and it better be legacy kube'
    errors.push(requiredValue('spec.group', message))
  }
  if (group !== '')
    for (const message of dnsSubdomainMessages(group))
      errors.push(invalidValue('spec.group', group, message))
  if (!VERSION_PATTERN.test(version)) {
    const message =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
    errors.push(invalidValue('spec.version', version, message))
  }
  return errors
}

/** A server that the annotation names, whether or not there is a service too. */
function addressErrors(
  address: string,
  old: ApiObject | null,
  { caBundle = '' }: JsonObject,
): readonly FieldError[] {
  const field = `metadata.annotations[${URL_ANNOTATION}]`
  // Objects from before the check remain writable, and their servers unavailable.
  if (old !== null && addressOf(old) === address) return []
  try {
    const isPlain = serverUrl(address).protocol === 'http:'
    if (!isPlain || caBundle === '') return []
    return [invalidValue(field, address, 'must begin with https:// if spec.caBundle is set')]
  } catch (error) {
    return [invalidValue(field, withoutCredentials(address), errorMessage(error))]
  }
}

/** Errors are logged, so they have no passwords. */
function withoutCredentials(address: string): string {
  return address.replace(/^.*@/s, '...@')
}

/** A bundle and the permission to skip the verification contradict each other. */
function verificationErrors(spec: JsonObject): readonly FieldError[] {
  if (spec['insecureSkipTLSVerify'] !== true || textOf(spec['caBundle']) === '') return []
  const message = 'may not be true if caBundle is present'
  return [invalidValue('spec.insecureSkipTLSVerify', true, message)]
}

function localErrors({ caBundle = '', insecureSkipTLSVerify }: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = []
  if (typeof caBundle === 'string' && caBundle !== '') {
    const size = `${Buffer.byteLength(caBundle, 'base64')} bytes`
    errors.push(invalidValue('spec.caBundle', size, 'local APIServices may not have a caBundle'))
  }
  if (insecureSkipTLSVerify === true) {
    const message = 'local APIServices may not have insecureSkipTLSVerify'
    errors.push(invalidValue('spec.insecureSkipTLSVerify', true, message))
  }
  return errors
}

function serviceErrors(spec: JsonObject, service: JsonObject): readonly FieldError[] {
  const errors = ['namespace', 'name']
    .filter((member) => textOf(service[member]) === '')
    .map((member) => requiredValue(`spec.service.${member}`))
  const { port = 443 } = service
  if (typeof port === 'number' && (port < 1 || port > MAX_PORT)) {
    const message = `port is not valid: must be between 1 and ${MAX_PORT}, inclusive`
    errors.push(invalidValue('spec.service.port', port, message))
  }
  return errors
}

function statusErrors({ status }: ApiObject): readonly FieldError[] {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  return (Array.isArray(conditions) ? conditions : []).flatMap((condition, index) => {
    const value = isJsonObject(condition) ? textOf(condition['status']) : ''
    return STATUSES.includes(value)
      ? []
      : [unsupportedValue(`status.conditions[${index}].status`, value, STATUSES)]
  })
}

function validate(
  object: ApiObject,
  old: ApiObject | null,
  { subresource }: WriteContext,
): readonly FieldError[] {
  if (subresource === 'status') return statusErrors(object)
  const spec = isJsonObject(object['spec']) ? object['spec'] : {}
  const group = textOf(spec['group'])
  const version = textOf(spec['version'])
  const name = object.metadata.name ?? ''
  const required = `${version}.${group}`
  const message = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`
  const { service } = spec
  const address = addressOf(object)
  const isLocal = address === null && !isJsonObject(service)
  return [
    ...(name === required ? [] : [invalidValue('metadata.name', name, message)]),
    ...groupErrors(group, version),
    ...priorityErrors(spec, 'groupPriorityMinimum', MAX_GROUP_PRIORITY),
    ...priorityErrors(spec, 'versionPriority', MAX_VERSION_PRIORITY),
    ...(isJsonObject(service) ? serviceErrors(spec, service) : []),
    ...(address === null ? [] : addressErrors(address, old, spec)),
    ...(isLocal ? localErrors(spec) : verificationErrors(spec)),
  ]
}

/** Local group versions are available immediately. */
function prepareCreate(object: ApiObject, { now }: WriteContext): ApiObject {
  const { spec } = object
  if (addressOf(object) !== null) return object
  if (isJsonObject(spec) && isJsonObject(spec['service'])) return object
  const condition = {
    type: 'Available',
    status: 'True',
    lastTransitionTime: now.toISOString().replace(/\.\d+Z$/, 'Z'),
    reason: 'Local',
    message: 'Local APIServices are always available',
  }
  return { ...object, status: { conditions: [condition] } }
}

/** Registrations of other servers. */
export const API_SERVICES: NativeResource = {
  type: API_SERVICE_TYPE,
  strategy: { prepareCreate, validate },
  isConfiguration: true,
}
