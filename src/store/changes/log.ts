/** The logs of changes: of resources with their reports, and of the objects of all planes. */
export type Log = 'resources' | 'objects'
