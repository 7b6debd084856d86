import { type JsonObject, type JsonValue, listOf, objectOf, optionalText, textOf } from 'flotilla'
import { type ContentSource, contentSourcesOf } from './volume-content.ts'

/** A directory of a sandbox. */
export interface WorkloadVolume {
  readonly name: string
  /** Path below the directory of the sandbox; null if the container does not mount the volume. */
  readonly mountPath: string | null
  /** Whether the directory is removed when the program is stopped. */
  readonly ephemeral: boolean
  readonly readOnly: boolean
  /** The sources of its files, which the program cannot change; null for other volumes. */
  readonly content: readonly ContentSource[] | null
}

interface Source {
  readonly container: JsonObject
  readonly pod: JsonObject
  readonly volumeClaimTemplates: JsonValue | undefined
}

/**
 * The volumes of a sandbox: those of its claims, mounted or not, and the directories that the
 * container mounts. A volume of the pod may refer to a claim by the name of its template.
 */
export function workloadVolumesOf(source: Source): readonly WorkloadVolume[] {
  const claims = listOf(source.volumeClaimTemplates).map((claim) =>
    textOf(objectOf(objectOf(claim)['metadata'])['name']),
  )
  const aliases = claimsByVolume(source.pod)
  const contents = contentsByVolume(source.pod)
  const mounted = listOf(source.container['volumeMounts']).map((value) => {
    const mount = objectOf(value)
    const named = textOf(mount['name'])
    const name = claims.includes(named) ? named : (aliases.get(named) ?? named)
    const isClaim = claims.includes(name)
    const content = isClaim ? null : (contents.get(name) ?? null)
    return {
      name,
      mountPath: optionalText(mount['mountPath']),
      ephemeral: !isClaim,
      readOnly: content !== null || mount['readOnly'] === true,
      content,
    }
  })
  const unmounted = claims.filter((name) => !mounted.some((volume) => volume.name === name))
  return [
    ...mounted,
    ...unmounted.map((name) => ({
      name,
      mountPath: null,
      ephemeral: false,
      readOnly: false,
      content: null,
    })),
  ]
}

function claimsByVolume(pod: JsonObject): ReadonlyMap<string, string> {
  const claims = new Map<string, string>()
  for (const value of listOf(pod['volumes'])) {
    const { name, persistentVolumeClaim } = objectOf(value)
    const claim = optionalText(objectOf(persistentVolumeClaim)['claimName'])
    if (claim !== null) claims.set(textOf(name), claim)
  }
  return claims
}

function contentsByVolume(pod: JsonObject): ReadonlyMap<string, readonly ContentSource[]> {
  const contents = new Map<string, readonly ContentSource[]>()
  for (const value of listOf(pod['volumes'])) {
    const volume = objectOf(value)
    const sources = contentSourcesOf(volume)
    if (sources !== null) contents.set(textOf(volume['name']), sources)
  }
  return contents
}
