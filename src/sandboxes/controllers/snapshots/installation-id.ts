import { isConflict, type PlaneClient, readOrNull, type ResourceName } from 'flotilla/controllers'

const CONFIG_MAPS: ResourceName = { group: '', version: 'v1', plural: 'configmaps' }
const NAME = { namespace: 'kube-system', name: 'flotilla-installation' }

/**
 * The random ID of this control plane, which marks its artefacts in shared stores. It is the uid
 * of a ConfigMap in the root plane, which is created on first use. Without the ConfigMap, a new ID
 * begins, and artefacts with the former one are never removed.
 */
export async function readInstallationId(root: PlaneClient): Promise<string> {
  const existing = await readOrNull(root, CONFIG_MAPS, NAME)
  const { metadata } = existing ?? (await createMap(root))
  return metadata.uid ?? ''
}

async function createMap(root: PlaneClient) {
  try {
    return await root.create(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: NAME,
      data: { description: 'The uid of this object marks the snapshots of this control plane.' },
    })
  } catch (error) {
    // Another process has created it.
    if (isConflict(error)) return root.get(CONFIG_MAPS, NAME)
    throw error
  }
}
