import { useMemo } from 'react'
import type { KindDescription } from '../../../../typescript/src/index.ts'
import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { Page } from '../../design/page.tsx'
import { Panel } from '../../design/panel.tsx'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { useListCrumb } from '../../resource/use-list-crumb.ts'
import { client } from '../../session/connection.ts'
import { applyToText } from '../conflict/apply-to-text.ts'
import { DiscardButton } from '../discard-button.tsx'
import { DryRunStatus } from '../dry-run-status.tsx'
import css from '../edit.module.css'
import { RequestError } from '../../design/states/request-error.tsx'
import { useSchema } from '../schema/schema-query.ts'
import { useDryRun } from '../use-dry-run.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import { YamlEditor } from '../yaml-editor.tsx'
import { createRequestOf, EMPTY_TEXT, unknownFields } from './create-draft.ts'
import { CreateFields } from './create-fields.tsx'
import { useCreate } from './use-create.ts'

interface CreateFormProps {
  readonly kind: KindDescription
  readonly parentKind: KindDescription | undefined
  /** The ID of the parent; empty without one. */
  readonly parentId: string
  readonly onParent: (id: string) => void
}

const FIELDS = ['name', 'labels', 'annotations', 'references', 'spec'] as const

/** A form and the YAML of a new resource: a change in one appears in the other. */
export function CreateForm(props: CreateFormProps) {
  const { kind, parentKind, parentId } = props
  const { plural } = kind
  const parent =
    parentKind === undefined || parentId === ''
      ? undefined
      : { plural: parentKind.plural, id: parentId }
  const crumb = useListCrumb(plural)
  const creation = useCreate({ plural, parent })
  const { text, isBusy } = creation
  const { value } = useMemo(() => parseYaml(text), [text])
  const hasParent = kind.parent_kind === null || parent !== undefined
  const request = value === null || !hasParent ? null : createRequestOf(kind.kind, value)
  const schema = useSchema(plural, FIELDS)
  // After the creation, the name would be taken.
  const unsaved = isBusy ? null : request
  const dryRun = useDryRun(`${plural}/new/${parentId}`, unsaved, (input, signal) =>
    client.collection<KindResource>(plural).create({ ...input, parent }, { dryRun: true, signal }),
  )
  // An empty form is not wrong yet.
  const isStarted = request !== null && request.name !== ''
  const errors = creation.errors ?? (isStarted ? dryRun.errors : [])
  const submit = () => {
    if (request !== null && !isBusy) void creation.create(request)
  }
  const ignored = value === null ? [] : unknownFields(value)
  return (
    <Page
      title={`Create ${kind.kind}`}
      trail={[crumb]}
      actions={
        <>
          <DiscardButton hasInput={text !== EMPTY_TEXT} onDiscard={creation.discard} />
          <Button variant="primary" disabled={isBusy || !isStarted} onClick={submit}>
            {isBusy ? 'Creating…' : 'Create'}
          </Button>
        </>
      }
    >
      <div className={css['halves']}>
        <Panel title="Form">
          <CreateFields
            {...props}
            schema={schema}
            value={value}
            errors={errors}
            onChange={(path, after) => creation.write(applyToText(text, [{ path, after }]))}
          />
        </Panel>
        <div className={css['main']}>
          {creation.isRestored && (
            <div className={css['notice']} role="status">
              <Icon name="refresh" />
              <div>Your unsaved input is back. Discard starts again.</div>
            </div>
          )}
          {ignored.length > 0 && (
            <div className={`${css['notice']} ${css['warn']}`} role="status">
              <Icon name="alert" />
              <div>The server ignores unknown fields: {ignored.join(', ')}.</div>
            </div>
          )}
          <YamlEditor
            label={`YAML of the new ${kind.kind}`}
            value={text}
            onChange={creation.write}
            onSave={submit}
            problems={errors}
            schema={schema}
          />
          {isStarted && <DryRunStatus dryRun={dryRun} />}
          <RequestError error={creation.error} />
        </div>
      </div>
    </Page>
  )
}
