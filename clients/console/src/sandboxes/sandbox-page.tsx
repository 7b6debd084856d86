import { Tabs } from '@base-ui/react/tabs'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Denied } from '../access/denied.tsx'
import { useAccess } from '../access/use-access.ts'
import { EmptyState } from '../design/states/empty-state.tsx'
import { ErrorState } from '../design/states/error-state.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { usePlaneObject } from '../planes/objects/use-plane-object.ts'
import { Logs } from './terminal/logs.tsx'
import { type Sandbox, SANDBOXES } from './sandbox.ts'
import { SandboxActions } from './sandbox-actions.tsx'
import { SandboxOverview } from './sandbox-overview.tsx'
import css from './sandbox-page.module.css'
import { SandboxProgress } from './sandbox-progress.tsx'
import { SandboxBadge } from './sandboxes-page.tsx'
import { SANDBOX_TABS, type SandboxTab } from './sandboxes-search.ts'
import { Snapshots } from './snapshots.tsx'
import { Terminal } from './terminal/terminal.tsx'

const ROUTE = '/sandboxes/$plane/$namespace/$name'

const LABELS: Readonly<Record<SandboxTab, string>> = {
  state: 'State',
  logs: 'Logs',
  terminal: 'Terminal',
  snapshots: 'Snapshots',
}

/** One sandbox: its state, its logs, a terminal and its snapshots. */
export function SandboxPage() {
  const target = useParams({ from: ROUTE })
  const { plane, namespace, name } = target
  const { tab = 'state' } = useSearch({ from: ROUTE })
  const navigate = useNavigate()
  const live = usePlaneObject<Sandbox>({ plane, kind: SANDBOXES, namespace, name })
  const { object: sandbox } = live
  const access = useAccess(plane, namespace)
  const denied = (verb: string, subresource: string) => {
    const resource = `sandboxes/${subresource}`
    return access({ verb, group: SANDBOXES.group, resource, names: [name] })
  }
  const logsDenied = denied('get', 'logs')
  const execDenied = denied('create', 'exec')
  const choose = (value: unknown) => {
    const next = SANDBOX_TABS.find((one) => one === value)
    if (next === undefined) return
    void navigate({ to: ROUTE, params: target, search: { tab: next }, replace: true })
  }
  const listTo = plane === 'root' ? '/sandboxes' : `/sandboxes?plane=${encodeURIComponent(plane)}`
  return (
    <Page
      title={name}
      icon="sandbox"
      trail={[{ label: 'Sandboxes', to: listTo }]}
      status={sandbox !== null && <SandboxBadge sandbox={sandbox} />}
      actions={sandbox !== null && <SandboxActions target={target} sandbox={sandbox} />}
    >
      {live.isPending && <Skeleton />}
      {live.error !== null && <ErrorState error={live.error} onRetry={live.retry} />}
      {live.isComplete && sandbox === null && (
        <EmptyState icon="sandbox" title={`There is no sandbox ${name}`}>
          It may have been deleted, or it is in another namespace or plane.
        </EmptyState>
      )}
      {sandbox !== null && (
        <div className={css['page']}>
          <SandboxProgress sandbox={sandbox} />
          <Tabs.Root value={tab} onValueChange={choose}>
            <Tabs.List className={css['tabs']} aria-label="Parts of the sandbox">
              {SANDBOX_TABS.map((one) => (
                <Tabs.Tab key={one} value={one} className={css['tab']}>
                  {LABELS[one]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="state" className={css['panel']}>
              <SandboxOverview plane={plane} sandbox={sandbox} />
            </Tabs.Panel>
            <Tabs.Panel value="logs" className={css['panel']}>
              {logsDenied === null ? (
                <Logs key={sandbox.metadata.uid} target={target} />
              ) : (
                <Denied reason={logsDenied} />
              )}
            </Tabs.Panel>
            <Tabs.Panel value="terminal" className={css['panel']}>
              {execDenied === null ? (
                <Terminal key={sandbox.metadata.uid} target={target} />
              ) : (
                <Denied reason={execDenied} />
              )}
            </Tabs.Panel>
            <Tabs.Panel value="snapshots" className={css['panel']}>
              <Snapshots target={target} sandbox={sandbox} />
            </Tabs.Panel>
          </Tabs.Root>
        </div>
      )}
    </Page>
  )
}
