type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR' | 'SNAPSHOT'

/** An event as JSON. Its object is JSON text; '' stands for the token that it does not have. */
export function eventJson(type: EventType, object: string, token: string | null): string {
  return `{"type":"${type}","object":${object},"resource_version":"${token ?? ''}"}`
}

/** Says that all changes up to the token have been told. */
export function bookmarkJson(token: string): string {
  return eventJson('BOOKMARK', '{}', token)
}
