import type { Schema } from 'flotilla/planes'
import {
  atomicList,
  choice,
  definition,
  flag,
  integer,
  longInteger,
  mapList,
  mapOf,
  TEXT,
  text,
  textList,
  withDefault,
} from 'flotilla/planes/native'
import { flotilla } from './maturity.ts'
import { AGENTS_DEFINITIONS } from './sandbox-groups.ts'

/** Manifests with all fields of pods are accepted. The runtime ignores those without a schema. */
const OPEN = { 'x-kubernetes-preserve-unknown-fields': true } as const
const OPEN_OBJECT: Schema = { type: 'object', ...OPEN }
const QUANTITIES = { 'x-kubernetes-int-or-string': true } as const

/** The labels and annotations of pods and claims. */
export const POD_METADATA_SCHEMA = definition(`${AGENTS_DEFINITIONS}.PodMetadata`, {
  description: 'Labels and annotations.',
  properties: {
    labels: mapOf(TEXT, 'Labels.'),
    annotations: mapOf(TEXT, 'Annotations.'),
  },
})

const ENV_VAR: Schema = {
  type: 'object',
  ...OPEN,
  description: 'An environment variable.',
  properties: {
    name: text('Name of the variable.'),
    value: text('Value of the variable. $(NAME) refers to an earlier variable.'),
    valueFrom: {
      ...OPEN_OBJECT,
      description: 'Source of the value: secretKeyRef, configMapKeyRef or fieldRef.',
    },
  },
  required: ['name'],
}

const PORT: Schema = {
  type: 'object',
  ...OPEN,
  description: 'A port on which the workload listens.',
  properties: {
    name: text('Name of the port.'),
    containerPort: { ...integer('Number of the port.'), minimum: 1, maximum: 65_535 },
    protocol: withDefault(text('TCP, UDP or SCTP.'), 'TCP'),
  },
  required: ['containerPort'],
}

const RESOURCES: Schema = {
  type: 'object',
  ...OPEN,
  description: 'Limits and requests.',
  properties: {
    limits: mapOf(QUANTITIES, 'The most cpu and memory that the workload may use.'),
    requests: mapOf(QUANTITIES, 'The cpu and memory that the workload needs.'),
  },
}

const VOLUME_MOUNT: Schema = {
  type: 'object',
  ...OPEN,
  description: 'The place of a volume in the file system of the workload.',
  properties: {
    name: text('Name of the volume or of the volume claim template.'),
    mountPath: text('Path below the directory of the sandbox.'),
    readOnly: flag('Whether the workload may only read the volume.'),
  },
  required: ['name', 'mountPath'],
}

const PORT_OF_CHECK: Schema = {
  ...QUANTITIES,
  description: 'Number of the port, or the name of one of ports.',
}

/** At least `minimum`, in an integer of 32 bits. */
function atLeast(minimum: number, description: string): Schema {
  return { ...integer(description), minimum }
}

const PROBE: Schema = {
  type: 'object',
  ...OPEN,
  description: 'A check of the running program: httpGet, tcpSocket or exec.',
  properties: {
    httpGet: {
      type: 'object',
      ...OPEN,
      description: 'Succeeds if a GET request to the sandbox has a status from 200 to 399.',
      properties: {
        port: PORT_OF_CHECK,
        path: text('Path of the request. The default is /.'),
        scheme: choice(['HTTP', 'HTTPS'], 'HTTPS accepts every certificate. The default is HTTP.'),
        httpHeaders: atomicList(
          { type: 'object', properties: { name: TEXT, value: TEXT }, required: ['name', 'value'] },
          'Headers of the request.',
        ),
      },
    },
    tcpSocket: {
      type: 'object',
      ...OPEN,
      description: 'Succeeds if the sandbox accepts a connection.',
      properties: { port: PORT_OF_CHECK },
    },
    exec: {
      type: 'object',
      description: 'Succeeds if a command in the sandbox ends with exit code 0.',
      properties: { command: textList('The program and its arguments. No shell is used.') },
    },
    initialDelaySeconds: atLeast(0, 'Seconds from the start to the first check. The default is 0.'),
    periodSeconds: atLeast(0, 'Seconds between checks. The default is 10.'),
    timeoutSeconds: atLeast(0, 'Seconds after which a check has failed. The default is 1.'),
    successThreshold: atLeast(0, 'Successes in a row that end a failure. The default is 1.'),
    failureThreshold: atLeast(0, 'Failures in a row that count. The default is 3.'),
    terminationGracePeriodSeconds: atLeast(
      1,
      'Seconds between SIGTERM and SIGKILL if the probe ends the program. The default is that of the pod.',
    ),
  },
}

const CONTAINER: Schema = definition(`${AGENTS_DEFINITIONS}.Container`, {
  description: 'The program that the sandbox runs.',
  properties: {
    name: text('Name of the container.'),
    image: text('Name of an image that was registered on the machine of the runtime.'),
    imagePullPolicy: text('Never: the sandbox starts only in its image. Others are kept.'),
    command: textList('The program and its first arguments.'),
    args: textList('Further arguments.'),
    workingDir: text('Working directory. The default is the workspace of the sandbox.'),
    env: mapList(ENV_VAR, ['name'], 'Environment variables.'),
    ports: mapList(PORT, ['containerPort', 'protocol'], 'Ports on which the workload listens.'),
    resources: RESOURCES,
    volumeMounts: mapList(VOLUME_MOUNT, ['mountPath'], 'Volumes of the workload.'),
    startupProbe: { ...PROBE, description: 'Delays the other probes. A failure ends the program.' },
    readinessProbe: { ...PROBE, description: 'The sandbox is Ready while it succeeds.' },
    livenessProbe: { ...PROBE, description: 'A failure ends the program.' },
  },
  required: ['name'],
})

const MODE = { minimum: 0, maximum: 0o777 } as const

const KEY_TO_PATH: Schema = {
  type: 'object',
  description: 'A key that becomes a file.',
  properties: {
    key: text('Key of the data.'),
    path: text('Path of the file below the volume.'),
    mode: { ...integer('Only the right to execute matters.'), ...MODE },
  },
  required: ['key', 'path'],
}

/** The fields that sources of files share. */
const FILES = {
  items: atomicList(KEY_TO_PATH, 'The keys that become files. The default is all keys.'),
  optional: flag('Whether the sandbox starts if the object or a key does not exist.'),
} as const
const DEFAULT_MODE: Schema = {
  ...integer('Mode of the files. Only the right to execute matters: nothing can be written.'),
  ...MODE,
}
const CONFIG_MAP_FILES = { name: text('Name of the ConfigMap.'), ...FILES } as const

const CONFIG_MAP_VOLUME: Schema = {
  type: 'object',
  description: 'Files from a ConfigMap of the namespace, read at each start.',
  properties: { ...CONFIG_MAP_FILES, defaultMode: DEFAULT_MODE },
}
const SECRET_VOLUME: Schema = {
  type: 'object',
  description: 'Files from a Secret of the namespace, read at each start.',
  properties: {
    secretName: text('Name of the Secret.'),
    ...FILES,
    defaultMode: DEFAULT_MODE,
  },
}
const PROJECTED_VOLUME: Schema = {
  type: 'object',
  description: 'Files from several ConfigMaps and Secrets.',
  properties: {
    sources: atomicList(
      {
        type: 'object',
        ...OPEN,
        properties: {
          configMap: { type: 'object', properties: CONFIG_MAP_FILES },
          secret: { type: 'object', properties: { name: text('Name of the Secret.'), ...FILES } },
        },
      },
      'A configMap or a secret each. Later files replace earlier ones.',
    ),
    defaultMode: DEFAULT_MODE,
  },
}

const VOLUME: Schema = {
  type: 'object',
  ...OPEN,
  description: 'A volume of the pod.',
  properties: {
    name: text('Name of the volume.'),
    emptyDir: {
      ...OPEN_OBJECT,
      description: 'A directory that is empty after each start, except for a resume.',
    },
    persistentVolumeClaim: {
      ...OPEN_OBJECT,
      description: 'A claim. The sandbox can use those of its volumeClaimTemplates.',
    },
    configMap: CONFIG_MAP_VOLUME,
    secret: SECRET_VOLUME,
    projected: PROJECTED_VOLUME,
  },
  required: ['name'],
}

const POD_SPEC: Schema = definition(`${AGENTS_DEFINITIONS}.PodSpec`, {
  description: 'Spec of the pod. Fields that the runtime does not use are kept.',
  properties: {
    containers: mapList({ ...CONTAINER, ...OPEN }, ['name'], 'Exactly one container.'),
    initContainers: mapList(
      { ...CONTAINER, ...OPEN },
      ['name'],
      'Programs that run in order before the container. Each must end with exit code 0.',
    ),
    volumes: mapList(VOLUME, ['name'], 'Volumes that the container may mount.'),
    runtimeClassName: flotilla(
      text('The isolation class: bubblewrap, gvisor, process. The default is that of the runtime.'),
    ),
    automountServiceAccountToken: flag(
      'Whether the program can use the API of its plane. The default is false.',
    ),
    serviceAccountName: text(
      'The service account with which the program uses the API. The default is default.',
    ),
    restartPolicy: choice(
      ['Always', 'OnFailure', 'Never'],
      'When the program is started again after its end. The default is Always.',
    ),
    terminationGracePeriodSeconds: {
      ...longInteger('Seconds between SIGTERM and SIGKILL. The default is 30.'),
      minimum: 0,
    },
  },
  required: ['containers'],
})

/** The template of the pod. */
export const POD_TEMPLATE_SCHEMA: Schema = definition(`${AGENTS_DEFINITIONS}.PodTemplate`, {
  description: 'The workload of the sandbox.',
  properties: {
    metadata: POD_METADATA_SCHEMA,
    spec: { ...POD_SPEC, ...OPEN },
  },
  required: ['spec'],
})
