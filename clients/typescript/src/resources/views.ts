import type { View, ViewCreateRequest, ViewPatchRequest } from '../generated/hyperfleet.ts'
import type { RootCollection } from './root-collection.ts'

/** A view to create. */
export type NewView = Omit<ViewCreateRequest, 'id' | 'kind'>

/** The views of a server. */
export type Views = RootCollection<View, NewView, ViewPatchRequest>
