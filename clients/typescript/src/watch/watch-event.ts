/** An event of a watch. */
export type WatchEvent<T> =
  | {
      /** DELETED also means that the object no longer matches the search of the watch. */
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
      readonly object: T
      /** Resumes after this event; empty for existing objects, until the first BOOKMARK. */
      readonly resourceVersion: string
    }
  | {
      /** All existing objects were sent, or a heartbeat. */
      readonly type: 'BOOKMARK'
      readonly resourceVersion: string
    }
  | {
      /**
       * The server no longer has the changes since the last event. Discard all objects: every
       * existing object follows as ADDED.
       */
      readonly type: 'RESET'
      readonly resourceVersion: ''
    }
