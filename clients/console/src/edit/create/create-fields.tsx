import { useMemo } from 'react'
import type { FieldError, KindDescription } from '../../../../typescript/src/index.ts'
import { Button } from '../../design/button.tsx'
import { TextField } from '../../design/text-field.tsx'
import css from '../form/form.module.css'
import { formFields } from '../form/form-fields.ts'
import { errorOf, SchemaForm } from '../form/schema-form.tsx'
import { isObject } from '../json/is-object.ts'
import { LabelsFields } from '../labels/labels-fields.tsx'
import { useLabelRows } from '../labels/use-label-rows.ts'
import { type SchemaSource, schemasAt } from '../schema/schemas-at.ts'
import type { JsonObject } from '../yaml/parse-yaml.ts'
import { ParentPicker } from './parent-picker.tsx'

interface CreateFieldsProps {
  readonly kind: KindDescription
  readonly parentKind: KindDescription | undefined
  readonly parentId: string
  readonly onParent: (id: string) => void
  /** Undefined while loading. */
  readonly schema: SchemaSource | undefined
  /** Null if the YAML has errors. */
  readonly value: JsonObject | null
  readonly errors: readonly FieldError[]
  readonly onChange: (path: readonly string[], value: unknown) => void
}

/** The form of a new resource: its parent, its name, its labels and its spec. */
export function CreateFields(props: CreateFieldsProps) {
  const { kind, parentKind, parentId, onParent, value } = props
  return (
    <div className={css['form']}>
      {parentKind !== undefined && (
        <ParentPicker kind={parentKind} value={parentId} onChange={onParent} />
      )}
      {value === null ? (
        <p className={css['notes']}>
          The YAML has errors. Correct them there, and the form shows your input again.
        </p>
      ) : (
        <ValueFields {...props} value={value} kind={kind} />
      )}
    </div>
  )
}

function ValueFields(props: CreateFieldsProps & { readonly value: JsonObject }) {
  const { kind, schema, value, errors, onChange } = props
  const { name, labels } = value
  const fields = useMemo(() => (schema ? formFields(schema, ['spec']) : []), [schema])
  const rows = useLabelRows(isObject(labels) ? labels : {}, (next) => onChange(['labels'], next))
  return (
    <>
      <TextField
        label="Name (required)"
        value={typeof name === 'string' ? name : ''}
        onChange={(text) => onChange(['name'], text)}
        hint={`Lowercase letters, digits and hyphens, ${kind.name_min_length} to ${kind.name_max_length} characters.`}
        error={errorOf(['name'], errors)}
        autoComplete="off"
        spellCheck={false}
      />
      <fieldset className={css['group']}>
        <legend>Labels</legend>
        <LabelsFields rows={rows.rows} onChange={rows.change} />
      </fieldset>
      <fieldset className={css['group']}>
        <legend>Spec</legend>
        {fields.length > 0 ? (
          <SchemaForm fields={fields} value={value} errors={errors} onChange={onChange} />
        ) : (
          schema !== undefined && <FreeForm {...props} schema={schema} />
        )}
      </fieldset>
    </>
  )
}

interface FreeFormProps extends CreateFieldsProps {
  readonly schema: SchemaSource
  readonly value: JsonObject
}

/** A spec without a schema has no inputs. */
function FreeForm({ kind, schema, value, onChange }: FreeFormProps) {
  const [{ example } = {}] = schemasAt(schema, ['spec'])
  const { spec } = value
  const isEmpty = !isObject(spec) || Object.keys(spec).length === 0
  return (
    <div className={css['notes']}>
      <p>The spec of a {kind.kind} can have any fields. Write it in the YAML.</p>
      {example !== undefined && isEmpty && (
        <div>
          <Button size="small" onClick={() => onChange(['spec'], example)}>
            Insert an example
          </Button>
        </div>
      )}
    </div>
  )
}
