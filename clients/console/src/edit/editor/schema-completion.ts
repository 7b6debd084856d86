import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { isMap, isScalar, parseDocument } from 'yaml'
import type { SchemaSource } from '../schema/schemas-at.ts'
import { keySuggestions, type Suggestion, valueSuggestions } from '../schema/suggestions.ts'
import { cursorContext } from '../yaml/cursor-context.ts'

/** Completes keys and values from a schema. */
export function schemaCompletion(source: SchemaSource | undefined): Extension {
  return autocompletion({
    override: source === undefined ? [] : [(context) => complete(source, context)],
    icons: false,
  })
}

function complete(
  source: SchemaSource,
  { state, pos, explicit }: CompletionContext,
): CompletionResult | null {
  const text = state.doc.toString()
  const place = cursorContext(text, pos)
  if (place === null || (place.from === pos && place.position === 'key' && !explicit)) return null
  const suggestions =
    place.position === 'value'
      ? valueSuggestions(source, place.path)
      : keySuggestions(
          source,
          place.path,
          existingKeys(text, place.path, text.slice(place.from, pos)),
        )
  if (suggestions.length === 0) return null
  return { from: place.from, options: suggestions.map(optionOf), validFor: /^[\w./-]*$/ }
}

/** The keys next to the cursor, except for the one that is being typed. */
function existingKeys(text: string, path: readonly (string | number)[], typed: string): string[] {
  const document = parseDocument(text, { logLevel: 'silent' })
  const parent = path.length === 0 ? document.contents : document.getIn(path, true)
  if (!isMap(parent)) return []
  return parent.items
    .map(({ key }) => (isScalar(key) ? String(key.value) : ''))
    .filter((key) => key !== typed)
}

function optionOf({ label, insert, detail, description, isRequired }: Suggestion): Completion {
  return {
    label,
    apply: insert,
    detail: isRequired ? `${detail} · required` : detail,
    ...(description !== '' && { info: description }),
    boost: isRequired ? 1 : 0,
  }
}
