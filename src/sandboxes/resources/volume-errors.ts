import { type JsonObject, type JsonValue, listOf, objectOf, textOf } from 'flotilla'
import { type FieldError, forbiddenValue, invalidValue, requiredValue } from 'flotilla/planes'

const DIRECTORIES: ReadonlySet<string> = new Set(['emptyDir', 'persistentVolumeClaim'])
const INSTEAD = 'use emptyDir, configMap, secret, projected, or a volumeClaimTemplate'

/** Why types of volumes are rejected, if the type is a frequent one. */
const REASONS: Readonly<Record<string, string>> = {
  hostPath: `directories of the machine would lead out of the sandbox: ${INSTEAD}`,
  downwardAPI: 'fields of the sandbox are available in variables: use env with fieldRef',
}
/** Why sources of projected volumes are rejected. */
const SOURCE_REASONS: Readonly<Record<string, string>> = {
  downwardAPI: 'fields of the sandbox are available in variables: use env with fieldRef',
}

/** The violations of the volumes of a pod. Other types would be empty directories without notice. */
export function volumeErrors(volumes: JsonValue | undefined, field: string): readonly FieldError[] {
  return listOf(volumes).flatMap((value, index) => {
    const { name, ...types } = objectOf(value)
    void name
    const at = `${field}[${index}]`
    const names = Object.keys(types)
    return [
      ...(names.length > 1
        ? [forbiddenValue(at, `a volume has one type, not ${names.join()}`)]
        : []),
      ...names.flatMap((type) => typeErrors(type, objectOf(types[type]), `${at}.${type}`)),
    ]
  })
}

function typeErrors(type: string, volume: JsonObject, field: string): readonly FieldError[] {
  if (DIRECTORIES.has(type)) return []
  if (type === 'configMap') return filesErrors(volume, field, 'name')
  if (type === 'secret') return filesErrors(volume, field, 'secretName')
  if (type === 'projected') return projectedErrors(volume['sources'], `${field}.sources`)
  return [forbiddenValue(field, REASONS[type] ?? `sandboxes have no such volumes: ${INSTEAD}`)]
}

function projectedErrors(sources: JsonValue | undefined, field: string): readonly FieldError[] {
  return listOf(sources).flatMap((value, index) =>
    Object.entries(objectOf(value)).flatMap(([type, source]) => {
      const at = `${field}[${index}].${type}`
      if (type === 'configMap' || type === 'secret') {
        return filesErrors(objectOf(source), at, 'name')
      }
      const reason = SOURCE_REASONS[type] ?? 'the sources of sandboxes are configMap and secret'
      return [forbiddenValue(at, reason)]
    }),
  )
}

function filesErrors(source: JsonObject, field: string, nameField: string): readonly FieldError[] {
  const name = textOf(source[nameField]) === '' ? [requiredValue(`${field}.${nameField}`)] : []
  const items = listOf(source['items']).flatMap((value, index) => {
    const { key, path } = objectOf(value)
    const at = `${field}.items[${index}]`
    return [
      ...(textOf(key) === '' ? [requiredValue(`${at}.key`)] : []),
      ...filePathErrors(`${at}.path`, textOf(path)),
    ]
  })
  return [...name, ...items]
}

function filePathErrors(field: string, path: string): readonly FieldError[] {
  if (path === '') return [requiredValue(field)]
  const isSafe = !path.includes('\0') && path.split('/').every(isFileName)
  const rule = 'must be a relative path without empty, "." or ".." parts'
  return isSafe ? [] : [invalidValue(field, path, rule)]
}

function isFileName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..'
}
