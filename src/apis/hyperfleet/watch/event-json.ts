type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR' | 'SNAPSHOT'

/** An event as JSON. Its object is JSON text; '' stands for the token that it does not have. */
export function eventJson(type: EventType, object: string, token: string | null): string {
  return `{"type":"${type}","object":${object},"resource_version":"${token ?? ''}"}`
}
