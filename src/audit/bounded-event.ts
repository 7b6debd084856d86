import type { AuditEvent } from './audit-event.ts'
import { storableText } from './storable-text.ts'

/** The texts that come from a client or quote its request. */
const TEXTS = [
  'requestId',
  'user',
  'impersonatedUser',
  'tenant',
  'sourceAddress',
  'userAgent',
  'verb',
  'method',
  'path',
  'route',
  'plane',
  'group',
  'resource',
  'subresource',
  'namespace',
  'name',
  'resourceId',
  'code',
  'detail',
] as const

/** Cuts and copies the texts of an event, so that it needs little memory, and adds its size. */
export function boundedEvent(event: Omit<AuditEvent, 'bytes'>): AuditEvent {
  const texts: Partial<Record<(typeof TEXTS)[number], string>> = {}
  for (const name of TEXTS) texts[name] = storableText(event[name])
  const groups = event.groups.map(storableText)
  const { request, response } = event
  const all = [...Object.values(texts), ...groups, request ?? '', response ?? '']
  const bytes = all.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return { ...event, ...texts, groups, bytes }
}
