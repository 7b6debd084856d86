import type { NativeResource } from '../model/native-resource.ts'
import type { ResourceStore } from '../model/resource-store.ts'

/** A store whose reads and lists return completed objects. Watches send objects as stored. */
export function completedStore(
  store: ResourceStore,
  complete: NonNullable<NativeResource['complete']>,
): ResourceStore {
  return {
    ...store,
    read: async (key) => {
      const object = await store.read(key)
      if (object === null) return null
      const [completed = object] = await complete([object])
      return completed
    },
    list: async (query) => {
      const page = await store.list(query)
      return { ...page, objects: await complete(page.objects) }
    },
  }
}
