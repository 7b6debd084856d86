/** Kinds of the HyperFleet API. */
export { kinds } from '../hyperfleet/kinds/index.ts'
export { statusHooks } from '../hyperfleet/statuses/conditions/status-hooks.ts'
export { defineKind, type Kind } from '../store/registry/kind.ts'
export { createRegistry, type Registry } from '../store/registry/registry.ts'
