import { type JsonObject, type JsonValue, listOf, objectOf, optionalNumber, textOf } from 'flotilla'

/** A volume whose files come from Secrets and ConfigMaps. Later sources replace earlier ones. */
export interface ContentSource {
  readonly type: 'secret' | 'configMap'
  readonly name: string
  /** Whether the files are left out if the object or a key does not exist. */
  readonly optional: boolean
  /** The keys that become files, by path; null for a file per key. */
  readonly items: readonly ContentItem[] | null
  readonly mode: number
}

interface ContentItem {
  readonly key: string
  readonly path: string
  readonly mode: number
}

const DEFAULT_MODE = 0o644

/** Reads the sources of a volume of the pod; null if the volume is a directory. */
export function contentSourcesOf(volume: JsonObject): readonly ContentSource[] | null {
  const { configMap, secret, projected } = volume
  if (configMap !== undefined) return [configMapSource(objectOf(configMap), DEFAULT_MODE)]
  if (secret !== undefined) {
    const { secretName, ...rest } = objectOf(secret)
    return [sourceOf({ type: 'secret', name: textOf(secretName) }, rest, DEFAULT_MODE)]
  }
  if (projected === undefined) return null
  const mode = optionalNumber(objectOf(projected)['defaultMode']) ?? DEFAULT_MODE
  return listOf(objectOf(projected)['sources']).flatMap((value) => {
    const source = objectOf(value)
    const ofSecret = objectOf(source['secret'])
    return [
      ...(source['configMap'] === undefined
        ? []
        : [configMapSource(objectOf(source['configMap']), mode)]),
      ...(source['secret'] === undefined
        ? []
        : [sourceOf({ type: 'secret', name: textOf(ofSecret['name']) }, ofSecret, mode)]),
    ]
  })
}

function configMapSource(configMap: JsonObject, mode: number): ContentSource {
  return sourceOf({ type: 'configMap', name: textOf(configMap['name']) }, configMap, mode)
}

function sourceOf(
  { type, name }: Pick<ContentSource, 'type' | 'name'>,
  { optional, items, defaultMode }: JsonObject,
  fallbackMode: number,
): ContentSource {
  const mode = optionalNumber(defaultMode) ?? fallbackMode
  return { type, name, optional: optional === true, items: itemsOf(items, mode), mode }
}

function itemsOf(items: JsonValue | undefined, fallbackMode: number) {
  if (listOf(items).length === 0) return null
  return listOf(items).map((value) => {
    const { key, path, mode } = objectOf(value)
    return { key: textOf(key), path: textOf(path), mode: optionalNumber(mode) ?? fallbackMode }
  })
}
