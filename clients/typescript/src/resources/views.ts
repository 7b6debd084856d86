import type { View, ViewCreateRequest, ViewPatchRequest } from '../generated/hyperfleet.ts'
import type { Transport } from '../http/transport.ts'
import { RootCollection } from './root-collection.ts'

/** A view to create. */
export type NewView = Omit<ViewCreateRequest, 'id' | 'kind'>

/** The views of a server. */
export class Views extends RootCollection<View, NewView, ViewPatchRequest> {
  constructor(transport: Transport) {
    super(transport, { kind: 'View', plural: 'views' })
  }
}
