import type { Extension } from '@codemirror/state'
import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view'
import { describeSchema } from '../schema/describe-schema.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type SchemaSource, schemasAt } from '../schema/schemas-at.ts'
import { cursorContext } from '../yaml/cursor-context.ts'

/** Shows the type and the description of the key under the pointer. */
export function schemaHover(source: SchemaSource | undefined): Extension {
  return source === undefined ? [] : hoverTooltip((view, pos) => tooltipAt(source, view, pos))
}

function tooltipAt(source: SchemaSource, view: EditorView, pos: number): Tooltip | null {
  const line = view.state.doc.lineAt(pos)
  const colon = line.text.search(/:(?=\s|$)/)
  if (colon < 0 || pos > line.from + colon) return null
  const place = cursorContext(view.state.doc.toString(), line.from + colon + 1)
  if (place?.position !== 'value') return null
  const [schema] = schemasAt(source, place.path)
  const name = place.path.at(-1)
  if (schema === undefined || typeof name !== 'string') return null
  const key = line.text.indexOf(name)
  return {
    pos: line.from + Math.max(0, key),
    end: line.from + colon,
    above: true,
    create: () => ({ dom: contentOf(name, schema) }),
  }
}

function contentOf(name: string, schema: JsonSchema): HTMLElement {
  const box = document.createElement('div')
  box.className = 'cm-completionInfo'
  const title = document.createElement('strong')
  title.textContent = name
  const type = document.createElement('span')
  type.textContent = ` ${describeSchema(schema)}`
  const text = document.createElement('div')
  text.textContent = schema.description ?? ''
  box.append(title, type, text)
  return box
}
