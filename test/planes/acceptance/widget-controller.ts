import { CustomObjectsApi, KubeConfig, type KubernetesObject, Watch } from '@kubernetes/client-node'

/** A custom resource of the workflow. */
interface Widget extends KubernetesObject {
  spec?: { size?: number }
  status?: { phase?: string; size?: number }
}

const FINALIZER = 'example.com/cleanup'
const RESOURCE = { group: 'example.com', version: 'v1', namespace: 'team', plural: 'widgets' }
const { SERVER: server = '', TOKEN: token = '', CA_FILE: caFile = '' } = process.env

const config = new KubeConfig()
config.loadFromOptions({
  clusters: [{ name: 'plane', server, caFile }],
  users: [{ name: 'controller', token }],
  contexts: [{ name: 'plane', cluster: 'plane', user: 'controller' }],
  currentContext: 'plane',
})
const objects = config.makeApiClient(CustomObjectsApi)

async function reconcile(widget: Widget): Promise<void> {
  const { metadata, spec, status } = widget
  const finalizers = metadata?.finalizers ?? []
  const target = { ...RESOURCE, name: metadata?.name ?? '' }
  const withFinalizers = (next: readonly string[]) => ({
    ...widget,
    metadata: { ...metadata, finalizers: next },
  })
  if (metadata?.deletionTimestamp !== undefined) {
    if (!finalizers.includes(FINALIZER)) return
    console.log(`cleans ${metadata.name}`)
    const rest = finalizers.filter((finalizer) => finalizer !== FINALIZER)
    await objects.replaceNamespacedCustomObject({ ...target, body: withFinalizers(rest) })
  } else if (!finalizers.includes(FINALIZER)) {
    const body = withFinalizers([...finalizers, FINALIZER])
    await objects.replaceNamespacedCustomObject({ ...target, body })
  } else if (status?.phase !== 'Ready' || status.size !== spec?.size) {
    const body = { ...widget, status: { phase: 'Ready', ...spec } }
    await objects.replaceNamespacedCustomObjectStatus({ ...target, body })
  }
}

/** Watches from the current state, again after each end. */
function follow(): void {
  const onEvent = (_type: string, widget: Widget): void => {
    // A conflict: the event of the newer version follows.
    reconcile(widget).catch((error: unknown) => console.error(error))
  }
  const { group, version, namespace, plural } = RESOURCE
  const path = `/apis/${group}/${version}/namespaces/${namespace}/${plural}`
  void new Watch(config).watch(path, {}, onEvent, (error: unknown) => {
    if (error) console.error(error)
    setTimeout(follow, 100)
  })
}

follow()
console.log('follows widgets')
