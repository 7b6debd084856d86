import { AllowedLink } from '../access/allowed-link.tsx'
import { useAccess } from '../access/use-access.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { buttonClass } from '../design/button-class.ts'
import { EmptyState } from '../design/states/empty-state.tsx'
import { Icon } from '../design/icon.tsx'
import { Page } from '../design/page.tsx'
import type { Column } from '../design/table/table.tsx'
import { TextField } from '../design/text-field.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { LiveTable } from '../kube/live-table.tsx'
import { listPath } from '../kube/object-path.ts'
import { OBJECT_RULES } from '../kube/object-rules.ts'
import { readObjects } from '../kube/read-objects.ts'
import { useLiveList } from '../kube/use-live-list.ts'
import { clustersByNameQuery } from '../search/clusters-by-name-query.ts'
import { useDebounced } from '../design/hooks/use-debounced.ts'
import { type Sandbox, SANDBOXES } from './sandbox.ts'
import { sandboxState } from './sandbox-state.ts'
import css from './sandboxes-page.module.css'

/** The sandboxes of a plane. */
export function SandboxesPage() {
  const { plane = 'root' } = useSearch({ from: '/sandboxes' })
  const { group } = SANDBOXES
  const denied = useAccess(plane)({ verb: 'create', group, resource: 'sandboxes' })
  const look = { variant: 'primary' } as const
  const label = (
    <>
      <Icon name="plus" size={14} />
      Create sandbox
    </>
  )
  const create = (
    <AllowedLink denied={denied} look={look} label={label}>
      <Link
        to="/planes/$plane/$group/$version/$plural/new"
        params={{ plane, ...SANDBOXES }}
        className={buttonClass(look)}
      >
        {label}
      </Link>
    </AllowedLink>
  )
  return (
    <Page title="Sandboxes" icon="sandbox" actions={create} flush>
      <PlaneField plane={plane} />
      <Sandboxes key={plane} plane={plane} />
    </Page>
  )
}

/** Chooses the plane whose sandboxes are shown. */
function PlaneField({ plane }: { readonly plane: string }) {
  const navigate = useNavigate()
  const [text, setText] = useState(plane)
  const name = useDebounced(text.trim(), 300)
  const found = useQuery({ ...clustersByNameQuery(name, 10), enabled: name !== 'root' })
  const names = ['root', ...(found.data?.items ?? []).map((cluster) => cluster.name)]
  const isKnown = names.includes(name)
  useEffect(() => {
    if (name === plane || !isKnown) return
    const search = name === 'root' ? {} : { plane: name }
    void navigate({ to: '/sandboxes', search, replace: true })
  }, [name, plane, isKnown, navigate])
  return (
    <div className={css['filter']}>
      <TextField
        label="Plane"
        value={text}
        onChange={setText}
        list="sandbox-planes"
        autoComplete="off"
        hint="root, or the name of a cluster"
        error={name === '' || isKnown || !found.isSuccess ? null : `No cluster is named ${name}.`}
      />
      <datalist id="sandbox-planes">
        {names.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </datalist>
    </div>
  )
}

function Sandboxes({ plane }: { readonly plane: string }) {
  const navigate = useNavigate()
  const list = useLiveList<Sandbox>({
    ...OBJECT_RULES,
    plane,
    path: listPath(SANDBOXES),
    readItems: readObjects<Sandbox>,
  })
  const columns = useMemo(() => columnsOf(plane), [plane])
  return (
    <LiveTable
      label="Sandboxes"
      list={list}
      columns={columns}
      onOpen={({ metadata: { namespace = '', name } }) =>
        void navigate({
          to: '/sandboxes/$plane/$namespace/$name',
          params: { plane, namespace, name },
        })
      }
    >
      <EmptyState
        icon="sandbox"
        title="No sandboxes yet"
        command="npx flotilla sandbox create my-sandbox -- sleep 3600"
      >
        A sandbox runs a program that can be suspended, resumed and forked. Its files survive the
        end of the program.
      </EmptyState>
    </LiveTable>
  )
}

function columnsOf(plane: string): readonly Column<Sandbox>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      cell: ({ metadata: { namespace = '', name } }) => (
        <Link
          to="/sandboxes/$plane/$namespace/$name"
          params={{ plane, namespace, name }}
          className={css['name'] ?? ''}
        >
          {name}
        </Link>
      ),
    },
    { id: 'namespace', label: 'Namespace', cell: ({ metadata }) => metadata.namespace },
    { id: 'state', label: 'State', cell: (sandbox) => <SandboxBadge sandbox={sandbox} /> },
    {
      id: 'why',
      label: 'Reason',
      cell: (sandbox) => <span className={css['why']}>{sandboxState(sandbox).explanation}</span>,
    },
    {
      id: 'strategy',
      label: 'Strategy',
      cell: ({ spec }) => spec.suspensionStrategy?.type ?? 'Stop',
    },
    { id: 'runtime', label: 'Runtime', cell: ({ status }) => status?.runtime },
    {
      id: 'age',
      label: 'Age',
      cell: ({ metadata }) => <TimeAgo time={metadata.creationTimestamp ?? ''} />,
    },
  ]
}

/** The state of a sandbox. */
export function SandboxBadge({ sandbox }: { readonly sandbox: Sandbox }) {
  const { word, tone } = sandboxState(sandbox)
  if (word === 'Suspended') {
    return (
      <Badge tone={tone} icon="pause">
        {word}
      </Badge>
    )
  }
  return <Badge tone={tone}>{word}</Badge>
}
