import { Link } from '@tanstack/react-router'
import { Panel } from '../design/panel.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import type { Tone } from '../design/tone.ts'
import { ConditionList } from '../kube/condition-list.tsx'
import { Facts } from '../kube/facts.tsx'
import type { KubeCondition } from '../kube/kube-object.ts'
import { objectParams } from '../planes/plane-address.ts'
import { remedyOf } from './reason-remedies.ts'
import { type Sandbox, SANDBOXES } from './sandbox.ts'
import css from './sandbox-page.module.css'

const BOOTS: Readonly<Record<string, string>> = {
  CLEAN: 'Without a snapshot',
  RESUME_FS: 'Files restored, command started again',
  RESUME: 'Files and memory restored',
  FORK: 'With the files of a snapshot of another sandbox',
}

interface SandboxOverviewProps {
  readonly plane: string
  readonly sandbox: Sandbox
}

/** The facts and the conditions of a sandbox. */
export function SandboxOverview({ plane, sandbox }: SandboxOverviewProps) {
  const { metadata, spec, status = {} } = sandbox
  const time = (value: string | undefined) => value && <TimeAgo time={value} suffix=" ago" />
  const idle = spec.autoSuspend?.idleSeconds
  return (
    <>
      <Panel
        title="Sandbox"
        actions={
          <Link
            to="/planes/$plane/$group/$version/$plural/$namespace/$name"
            params={objectParams(plane, SANDBOXES, metadata)}
            className={css['link'] ?? ''}
          >
            Edit as YAML
          </Link>
        }
      >
        <div className={css['padded']}>
          <Facts
            facts={[
              { label: 'Namespace', value: metadata.namespace },
              { label: 'Age', value: <TimeAgo time={metadata.creationTimestamp ?? ''} /> },
              { label: 'Operating mode', value: spec.operatingMode },
              { label: 'Suspension strategy', value: spec.suspensionStrategy?.type ?? 'Stop' },
              { label: 'Runtime', value: status.runtime },
              { label: 'Machine', value: status.nodeName },
              { label: 'Last start', value: BOOTS[status.boot ?? ''] ?? status.boot },
              { label: 'Restarts', value: status.restarts },
              { label: 'Last exit code', value: status.exitCode },
              { label: 'Last use', value: time(status.lastActivityTime) },
              { label: 'Suspended', value: time(status.suspendedTime) },
              { label: 'Snapshot', value: status.snapshot?.name },
              { label: 'Suspended when idle for', value: idle !== undefined && `${idle} s` },
              { label: 'Ends', value: spec.shutdownTime },
            ]}
          />
        </div>
      </Panel>
      <Panel title="Conditions">
        <ConditionList
          conditions={status.conditions ?? []}
          toneOf={(condition) => toneOf(condition, spec.operatingMode === 'Suspended')}
          remedyOf={remedyOf}
        />
      </Panel>
    </>
  )
}

/** Most conditions are neutral: which ones should be True depends on the operating mode. */
function toneOf({ type, status, reason = '' }: KubeCondition, isSuspended: boolean): Tone {
  if (remedyOf({ reason }) !== undefined) return 'bad'
  const wanted = isSuspended ? 'Suspended' : 'Ready'
  if (type === wanted) return status === 'True' ? 'good' : 'warn'
  if (type === 'Progressing') return status === 'True' ? 'warn' : 'neutral'
  return status === 'True' ? 'good' : 'neutral'
}
