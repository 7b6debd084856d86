type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR' | 'SNAPSHOT'

/** An event as JSON. `object` is JSON text; a missing version becomes ''. */
export function eventJson(type: EventType, object: string, token: string | null): string {
  return `{"type":"${type}","object":${object},"resource_version":"${token ?? ''}"}`
}
