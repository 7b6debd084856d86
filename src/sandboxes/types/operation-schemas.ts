import type { Schema } from 'flotilla/planes'
import {
  atomicList,
  choice,
  definition,
  flag,
  integer,
  longInteger,
  mapList,
  text,
  textList,
  time,
  withDefault,
} from 'flotilla/planes/native'
import { flotilla } from './maturity.ts'
import { AGENTS_DEFINITIONS } from './sandbox-groups.ts'
import { SNAPSHOT_STATUS_SCHEMA } from './snapshot-status-schema.ts'
import { SUSPENSION_STRATEGY_SCHEMA } from './suspension-strategy-schema.ts'

const TYPE_FIELDS = {
  apiVersion: text('Group and version of this representation of the object.'),
  kind: text('Kind of the object, in CamelCase.'),
}

function body(kind: string, description: string, properties: Schema['properties'] = {}): Schema {
  const fields = { description, properties: { ...TYPE_FIELDS, ...properties } }
  return flotilla(definition(`${AGENTS_DEFINITIONS}.${kind}`, fields))
}

function requiring(schema: Schema, ...required: readonly string[]): Schema {
  return { ...schema, required }
}

const WAIT = text('How long to wait for the result, such as 30s; at most 10m. Empty: not at all.')
const LONGEST_COMMAND_SECONDS = 86_400
const MOST_FORKS = 50

/** The body of `suspend`. */
export const SUSPEND_REQUEST_SCHEMA = body('SandboxSuspendRequest', 'Suspends the sandbox.', {
  strategy: {
    ...SUSPENSION_STRATEGY_SCHEMA,
    description: 'Replaces the suspension strategy of the sandbox.',
  },
  wait: WAIT,
})

/** The body of `resume`. */
export const RESUME_REQUEST_SCHEMA = body('SandboxResumeRequest', 'Resumes the sandbox.', {
  coldBoot: flag('Permits a boot without the snapshot, which loses the saved state.'),
  wait: WAIT,
})

/** The body of `exec`. */
export const EXEC_REQUEST_SCHEMA = requiring(
  body('SandboxExecRequest', 'Runs a program beside the workload.', {
    command: { ...textList('The program and its arguments.'), minItems: 1, maxItems: 1024 },
    stdin: text('Text that the program can read from its standard input.'),
    env: mapList(
      {
        type: 'object',
        properties: { name: text('Name of the variable.'), value: text('Value of the variable.') },
        required: ['name'],
      },
      ['name'],
      'Environment variables in addition to those of the workload.',
    ),
    workingDir: text('Working directory. The default is that of the workload.'),
    timeoutSeconds: {
      ...integer('Seconds after which the program is killed. 0: never.'),
      minimum: 0,
      maximum: LONGEST_COMMAND_SECONDS,
    },
  }),
  'command',
)

/** A line of the response to `exec`. */
export const EXEC_OUTPUT_SCHEMA = body(
  'SandboxExecOutput',
  'A line of the response: output, or the result as the last line.',
  {
    stream: choice(['stdout', 'stderr'], 'Source of the data.'),
    data: { type: 'string', format: 'byte', description: 'Output in base64.' },
    exitCode: integer('Exit code, in the last line.'),
    error: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      description: 'The Status of a failure, in the last line.',
    },
  },
)

/** The response to `logs`. */
export const LOGS_SCHEMA: Schema = body('SandboxLogs', 'The output of the workload as text.')

/** The body of `activity`. */
export const ACTIVITY_REQUEST_SCHEMA = body(
  'SandboxActivityRequest',
  'Reports that the sandbox is in use.',
)

/** When a sandbox was used. */
export const ACTIVITY_SCHEMA = body('SandboxActivity', 'The last use of the sandbox.', {
  lastActivityTime: time('Last exec, logs, resume, report of activity or output.'),
  idleSeconds: longInteger('Seconds since then.'),
  suspendTime: time('When the sandbox is suspended if it stays idle.'),
})

/** The body of `snapshots`. */
export const SNAPSHOT_REQUEST_SCHEMA = body(
  'SandboxSnapshotRequest',
  'Takes a snapshot while the workload runs on.',
  { name: { ...text('Name of the Snapshot.'), maxLength: 253 }, wait: WAIT },
)

const OPEN_OBJECT: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** A Snapshot that was requested. */
export const SANDBOX_SNAPSHOT_SCHEMA = body('SandboxSnapshot', 'A Snapshot of the sandbox.', {
  metadata: { ...OPEN_OBJECT, description: 'Metadata of the Snapshot.' },
  spec: { ...OPEN_OBJECT, description: 'Spec of the Snapshot.' },
  status: SNAPSHOT_STATUS_SCHEMA,
})

/** The snapshots of a sandbox. */
export const SANDBOX_SNAPSHOT_LIST_SCHEMA = body('SandboxSnapshotList', 'Snapshots.', {
  metadata: { ...OPEN_OBJECT, description: 'Metadata of the list.' },
  items: atomicList(SANDBOX_SNAPSHOT_SCHEMA, 'The snapshots of the sandbox.'),
})

/** The body of `fork`. */
export const FORK_REQUEST_SCHEMA = body('SandboxForkRequest', 'Creates copies of the sandbox.', {
  count: withDefault({ ...integer('Number of copies.'), minimum: 1, maximum: MOST_FORKS }, 1),
  namePrefix: {
    ...text('Prefix of the names. The default is the name of the sandbox and -fork-.'),
    maxLength: 57,
  },
  wait: text('How long to wait for the snapshot, such as 30s, which is the default; at most 10m.'),
})

/** The copies of a sandbox. */
export const FORK_SCHEMA = body('SandboxFork', 'The result of each copy.', {
  snapshotName: text('The Snapshot with which the copies start.'),
  items: mapList(
    {
      type: 'object',
      properties: {
        name: text('Name of the sandbox.'),
        uid: text('UID of the sandbox; absent if it was not created.'),
        error: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          description: 'The Status of the failure.',
        },
      },
      required: ['name'],
    },
    ['name'],
    'The copies.',
  ),
})
