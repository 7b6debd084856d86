import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { CopyButton } from '../../design/copy-button.tsx'
import { Panel } from '../../design/panel.tsx'
import { differences } from '../../edit/json/differences.ts'
import { toYaml } from '../../edit/yaml/to-yaml.ts'
import type { KindResource } from '../data/kind-resource.ts'
import { DiffView } from '../diff/diff-view.tsx'
import type { ObservedSpec } from './observed-spec.ts'
import css from './spec.module.css'
import { SpecTree } from './spec-tree.tsx'

interface SpecPanelProps {
  readonly resource: KindResource
  /** Null if every required adapter has seen the current spec. */
  readonly observed: ObservedSpec | null
}

const ROOT: readonly string[] = []

type View = 'tree' | 'yaml' | 'diff'

/** The spec as a tree, as YAML, or compared with the spec that adapters saw. */
export function SpecPanel({ resource: { spec, generation }, observed }: SpecPanelProps) {
  const [chosen, setChosen] = useState<View | null>(null)
  const hasDiff = observed !== null
  const view = chosen === 'diff' && !hasDiff ? 'tree' : (chosen ?? (hasDiff ? 'diff' : 'tree'))
  const changes = useMemo(
    () => (observed?.spec ? differences(observed.spec, spec) : []),
    [observed, spec],
  )
  const changed = new Set(changes.map(({ path }) => JSON.stringify(path)))
  const tab = (id: View, label: string) => (
    <Button
      size="small"
      variant={view === id ? 'secondary' : 'ghost'}
      aria-pressed={view === id}
      onClick={() => setChosen(id)}
    >
      {label}
    </Button>
  )
  return (
    <Panel
      title="Spec"
      note={`generation ${generation}`}
      actions={
        <div className={css['tabs']} role="group" aria-label="View of the spec">
          {tab('tree', 'Tree')}
          {tab('yaml', 'YAML')}
          {hasDiff && tab('diff', 'Not seen yet')}
          <CopyButton text={toYaml(spec)} label="Copy the spec as YAML" />
        </div>
      }
    >
      {view === 'diff' && observed !== null ? (
        <ObservedDiff observed={observed} spec={spec} generation={generation} />
      ) : Object.keys(spec).length === 0 ? (
        <p className={css['empty']}>The spec is empty. Edit the resource to set it.</p>
      ) : view === 'yaml' ? (
        <Scrolling label="Spec as YAML">{toYaml(spec)}</Scrolling>
      ) : (
        <div className={css['body']}>
          <SpecTree value={spec} changed={changed} path={ROOT} />
        </div>
      )}
    </Panel>
  )
}

function Scrolling({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long text scrolls
    <pre className={css['yaml']} tabIndex={0} aria-label={label}>
      {children}
    </pre>
  )
}

interface ObservedDiffProps {
  readonly observed: ObservedSpec
  readonly spec: KindResource['spec']
  readonly generation: number
}

function ObservedDiff({ observed, spec, generation }: ObservedDiffProps) {
  const { adapters, generation: seen, spec: old } = observed
  const before = old === null ? null : toYaml(old)
  const after = toYaml(spec)
  return (
    <>
      <p className={css['note']}>
        {listed(adapters)} {adapters.length === 1 ? 'has' : 'have'} seen generation {seen} of{' '}
        {generation}.{' '}
        {before === null
          ? 'The log of changes no longer has that spec.'
          : before === after
            ? 'The spec is the same in both.'
            : 'These lines are new to it:'}
      </p>
      {before !== null && before !== after && (
        <DiffView
          label="Changes of the spec that adapters have not seen"
          before={before}
          after={after}
        />
      )}
    </>
  )
}

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
