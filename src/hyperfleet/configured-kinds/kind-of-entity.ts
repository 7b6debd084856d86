import { defineKind, type Kind } from '../../store/registry/kind.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { quoteValue } from '../../lib/json/quote-value.ts'
import type { Entity } from './entity.ts'
import { isGiven } from './file-value.ts'

const ANY_OBJECT: JsonObject = {
  type: 'object',
  description: 'Desired state, free-form.',
  additionalProperties: true,
}

/** The parts of an entity. */
interface Parts {
  readonly entity: Entity & { readonly kind: string }
  /** The built-in kind of this name, if any. */
  readonly builtIn: Kind | undefined
  /** The schema that the entity names, if any. */
  readonly spec: JsonObject | undefined
}

/** The kind that an entity declares, or the built-in kind with the entity's changes. */
export function kindOfEntity({ entity, builtIn, spec }: Parts): Kind {
  if (builtIn) reportPublished(entity, builtIn)
  else reportMissing(entity)
  const base = builtIn ?? defaultsOf(entity)
  return defineKind({
    ...base,
    parent: parentOf(entity, base),
    name: {
      minLength: entity.minNameLength ?? base.name.minLength,
      maxLength: entity.maxNameLength ?? base.name.maxLength,
    },
    spec: spec ?? base.spec,
    requiredAdapters: entity.requiredAdapters ?? base.requiredAdapters,
    references: entity.references ?? base.references,
    ...(entity.conditions && { conditions: entity.conditions }),
    messages: {
      available: entity.availableMessage ?? base.messages.available,
      ready: entity.readyMessage ?? base.messages.ready,
    },
  })
}

function defaultsOf({ kind, plural, singular, parentKind }: Parts['entity']): Kind {
  return {
    kind,
    plural: plural ?? '',
    singular: singular ?? kind.toLowerCase(),
    parent: parentKind === undefined ? null : { kind: parentKind, onDelete: 'restrict' },
    name: { minLength: 3, maxLength: 53 },
    spec: ANY_OBJECT,
    requiredAdapters: [],
    references: [],
    messages: {
      available: `${kind} is accessible`,
      ready: 'All adapters report ready at current generation',
    },
  }
}

function parentOf({ source, onParentDelete }: Entity, { parent }: Kind): Kind['parent'] {
  if (parent) return { kind: parent.kind, onDelete: onParentDelete ?? parent.onDelete }
  if (onParentDelete !== undefined && !isGiven(source, 'parent_kind')) {
    const text = `'${onParentDelete}' requires parent_kind: add it, or remove this field`
    source.report([...source.path, 'on_parent_delete'], text)
  }
  return null
}

function reportMissing({ source }: Entity): void {
  if (isGiven(source, 'plural')) return
  source.report([...source.path, 'plural'], 'is missing: add the path segment of the collection')
}

/** Clients use the paths of the built-in kinds. */
function reportPublished(entity: Entity, builtIn: Kind): void {
  const members = [
    ['plural', entity.plural, builtIn.plural],
    ['singular', entity.singular, builtIn.singular],
    ['parent_kind', entity.parentKind, builtIn.parent?.kind],
  ] as const
  for (const [member, found, published] of members) {
    if (found === undefined || found === published) continue
    const fixed = published === undefined ? 'has none' : `has '${published}'`
    const text = `cannot be changed, found ${quoteValue(found)}: ${builtIn.kind} ${fixed}, and clients rely on it; remove this`
    entity.source.report([...entity.source.path, member], text)
  }
}
