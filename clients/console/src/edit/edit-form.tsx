import { useMemo } from 'react'
import type { Tagged } from '../../../typescript/src/index.ts'
import { Button } from '../design/button.tsx'
import { Page } from '../design/page.tsx'
import type { KindResource } from '../resource/data/kind-resource.ts'
import { useListCrumb } from '../resource/use-list-crumb.ts'
import { client } from '../session/connection.ts'
import { DifferenceList } from './difference-list.tsx'
import { DiscardButton } from './discard-button.tsx'
import { DryRunStatus } from './dry-run-status.tsx'
import css from './edit.module.css'
import { EditNotices } from './edit-notices.tsx'
import { patchOf } from './save/editable-fields.ts'
import { useEdit } from './save/use-edit.ts'
import { useSchema } from './schema/schema-query.ts'
import { useDryRun } from './use-dry-run.ts'
import { parseYaml } from './yaml/parse-yaml.ts'
import { toYaml } from './yaml/to-yaml.ts'
import { YamlEditor } from './yaml-editor.tsx'

interface EditFormProps {
  readonly plural: string
  /** The version that is current when the page opens. */
  readonly version: Tagged<KindResource>
}

const FIELDS = ['labels', 'annotations', 'references', 'spec'] as const

/** The editor of a resource, with its differences and the problems that the server finds. */
export function EditForm({ plural, version }: EditFormProps) {
  const { id, name } = version.resource
  const crumb = useListCrumb(plural)
  const edit = useEdit(plural, version)
  const { text, base } = edit.draft
  const { value } = useMemo(() => parseYaml(text), [text])
  const patch = value === null ? null : patchOf(base, value)
  const dryRun = useDryRun(`${plural}/${id}`, patch, (body, signal) =>
    client.collection<KindResource>(plural).patch(id, body, { dryRun: true, signal }),
  )
  const schema = useSchema(plural, FIELDS)
  const save = () => void edit.save(value)
  return (
    <Page
      title={`Edit ${name}`}
      fill
      trail={[crumb, { label: name, to: `/resources/${plural}/${id}` }]}
      actions={
        <>
          <DiscardButton hasInput={text !== toYaml(base)} onDiscard={edit.discard} />
          <Button
            variant="primary"
            disabled={edit.isBusy || patch === null || edit.conflict !== null}
            onClick={save}
          >
            {edit.isBusy ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <div className={css['split']}>
        <div className={css['main']}>
          <EditNotices edit={edit} />
          <YamlEditor
            label={`YAML of ${name}`}
            value={text}
            onChange={edit.write}
            onSave={save}
            problems={edit.errors ?? dryRun.errors}
            schema={schema}
          />
          <div className={css['buttons']}>
            <DryRunStatus dryRun={dryRun} />
            <span className={css['hint']}>
              Ctrl-Space completes, Ctrl-S saves. Tab indents: press Escape, then Tab, to leave.
            </span>
          </div>
        </div>
        <div className={css['aside']}>
          <DifferenceList
            title="Your changes"
            before={base}
            after={value ?? base}
            empty={
              value === null
                ? 'The YAML has errors. Correct them to see your changes.'
                : 'Nothing is changed yet.'
            }
          />
        </div>
      </div>
    </Page>
  )
}
