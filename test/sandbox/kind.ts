import { defineKind } from '../../src/store/registry/kind.ts'

/** A kind that only tests know: whatever shared code does for it, it does by the declaration. */
export const sandbox = defineKind({
  kind: 'Sandbox',
  plural: 'sandboxes',
  singular: 'sandbox',
  parent: { kind: 'Cluster', onDelete: 'cascade' },
  name: { minLength: 2, maxLength: 8 },
  spec: new URL('spec.yaml', import.meta.url),
  requiredAdapters: ['runner', 'net'],
  references: [],
  messages: { available: 'Sandbox can be entered', ready: 'Sandbox is as declared' },
})
