import type { DeclaredSubresource } from 'flotilla/planes'
import {
  ACTIVITY_REQUEST_SCHEMA,
  ACTIVITY_SCHEMA,
  EXEC_OUTPUT_SCHEMA,
  EXEC_REQUEST_SCHEMA,
  FORK_REQUEST_SCHEMA,
  FORK_SCHEMA,
  LOGS_SCHEMA,
  RESUME_REQUEST_SCHEMA,
  SANDBOX_SNAPSHOT_LIST_SCHEMA,
  SANDBOX_SNAPSHOT_SCHEMA,
  SNAPSHOT_REQUEST_SCHEMA,
  SUSPEND_REQUEST_SCHEMA,
} from './operation-schemas.ts'
import { AGENTS_GROUP, AGENTS_VERSION } from './sandbox-groups.ts'

function subresource(
  name: string,
  {
    verbs = ['create'],
    ...others
  }: Partial<DeclaredSubresource> & Pick<DeclaredSubresource, 'kind'>,
): DeclaredSubresource {
  return { name, group: AGENTS_GROUP, version: AGENTS_VERSION, verbs, ...others }
}

/** The subresources of sandboxes other than status. */
export const SANDBOX_SUBRESOURCES: readonly DeclaredSubresource[] = [
  subresource('suspend', { kind: 'Sandbox', body: SUSPEND_REQUEST_SCHEMA }),
  subresource('resume', { kind: 'Sandbox', body: RESUME_REQUEST_SCHEMA }),
  subresource('exec', {
    kind: 'SandboxExecOutput',
    body: EXEC_REQUEST_SCHEMA,
    schema: EXEC_OUTPUT_SCHEMA,
    produces: ['application/x-ndjson'],
  }),
  subresource('logs', {
    kind: 'SandboxLogs',
    verbs: ['get'],
    schema: LOGS_SCHEMA,
    produces: ['text/plain'],
    parameters: [
      { name: 'follow', type: 'boolean', description: 'Whether to send new output too.' },
      { name: 'previous', type: 'boolean', description: 'Whether to send the run before.' },
      { name: 'sinceSeconds', type: 'integer', description: 'Only output of the last seconds.' },
      { name: 'tailLines', type: 'integer', description: 'Only the last lines.' },
    ],
  }),
  subresource('activity', {
    kind: 'SandboxActivity',
    verbs: ['create', 'get'],
    body: ACTIVITY_REQUEST_SCHEMA,
    schema: ACTIVITY_SCHEMA,
  }),
  subresource('snapshots', {
    kind: 'SnapshotList',
    verbs: ['create', 'list'],
    body: SNAPSHOT_REQUEST_SCHEMA,
    created: SANDBOX_SNAPSHOT_SCHEMA,
    schema: SANDBOX_SNAPSHOT_LIST_SCHEMA,
  }),
  subresource('fork', { kind: 'SandboxFork', body: FORK_REQUEST_SCHEMA, schema: FORK_SCHEMA }),
]
