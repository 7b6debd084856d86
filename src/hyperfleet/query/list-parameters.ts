import type { JsonObject } from '../../lib/json/json.ts'
import { listableKinds } from '../../store/registry/verb.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { referenceTypesOf } from './reference-filter.ts'

/** The lists: resources of one kind, resources of all kinds, and the reports on one resource. */
export type ListSubject = 'kind' | 'all-kinds' | 'statuses'

/** The OpenAPI parameter without its name. */
interface Described {
  readonly in?: 'header'
  readonly description: string
  readonly schema: JsonObject
  readonly example?: string
  readonly allowReserved?: true
}

/** A parameter with the same description in every list of its subjects. */
type Component = Described & {
  /** Its name in `components.parameters`. */
  readonly component: string
}

/** The input of a parameter's description. */
export type ListedKind = Pick<RegisteredKind, 'kind' | 'references' | 'verbs'>

/** One parameter of lists. */
export interface ListParameter {
  /** As callers send it. */
  readonly name: string
  /** The parameter that this one is another name of. */
  readonly aliasOf?: string
  /** Whether a watch takes it; if not, a watch with it is rejected. */
  readonly watch: boolean
  /** Null for a list that does not take it. Inline parameters depend on the kinds of the list. */
  readonly describe: (
    subject: ListSubject,
    kinds: readonly ListedKind[],
  ) => Component | Described | null
  /** The TSL condition that a value adds to the search, in lists and watches alike. */
  readonly condition?: (value: string) => string
}

const TEXT: JsonObject = { type: 'string' }

const ORDER_FIELDS =
  'A comma-separated list of `field [asc|desc]`: `id`, `kind`, `href`, `name`, `generation`, `created_time`, `updated_time`, `deleted_time`, `created_by`, `updated_by`, `deleted_by`, `labels.<key>`. Resources that are not being deleted have no `deleted_time` or `deleted_by`: these fields sort them last, or first with `desc`.'
const FIELDS =
  'A comma-separated list of fields to return, top-level or dotted. The result always includes'

const ORDER_BY: Readonly<Record<ListSubject, Component>> = {
  kind: {
    component: 'orderBy',
    allowReserved: true,
    description: ORDER_FIELDS,
    schema: TEXT,
    example: 'name asc,created_time desc',
  },
  'all-kinds': {
    component: 'resourceOrderBy',
    allowReserved: true,
    description: ORDER_FIELDS,
    schema: TEXT,
    example: 'kind asc,name asc',
  },
  statuses: {
    component: 'statusOrderBy',
    allowReserved: true,
    description:
      'A comma-separated list of `field [asc|desc]`: `adapter`, `observed_generation`, `created_time`, `last_report_time`.',
    schema: TEXT,
  },
}

const SEARCH: Component = {
  component: 'search',
  allowReserved: true,
  description:
    "A TSL expression, such as `labels.environment='production' and status.conditions.Ready='True'`.",
  schema: TEXT,
}

const STATUS_SEARCH: Component = {
  component: 'statusSearch',
  allowReserved: true,
  description:
    "A TSL expression over `adapter` and `observed_generation`, such as `adapter='validator' and observed_generation > 1`.",
  schema: TEXT,
}

const RESOURCE_FIELDS: Component = {
  component: 'fields',
  allowReserved: true,
  description: `${FIELDS} \`id\`.`,
  schema: TEXT,
  example: 'name,status.conditions',
}

const STATUS_FIELDS: Component = {
  component: 'statusFields',
  allowReserved: true,
  description: `${FIELDS} \`adapter\`.`,
  schema: TEXT,
  example: 'observed_generation,conditions',
}

const everywhere = (component: Component): ListParameter['describe'] => {
  return () => component
}

/**
 * Every parameter of lists, in the order of the document. The document, the validation of requests,
 * the suggestions for unknown parameters, the rules of watches and `docs/list-parameters.md` follow
 * from this table.
 */
export const LIST_PARAMETERS: readonly ListParameter[] = [
  {
    name: 'page',
    watch: false,
    describe: everywhere({
      component: 'page',
      description: 'The page number, starting at 1.',
      schema: { type: 'integer', minimum: 1 },
    }),
  },
  {
    name: 'pageSize',
    watch: false,
    describe: everywhere({
      component: 'pageSize',
      description:
        'The number of items per page; 100 unless configured otherwise. A value above 1000 counts as 1000. The server rejects a page of more than 64 MiB.',
      schema: { type: 'integer', minimum: 1 },
    }),
  },
  {
    name: 'size',
    aliasOf: 'pageSize',
    watch: false,
    describe: everywhere({
      component: 'size',
      description: 'An alias of `pageSize` that rejects values above 1000.',
      schema: { type: 'integer', minimum: 1, maximum: 1000 },
    }),
  },
  {
    name: 'after',
    watch: false,
    describe: (subject) => {
      if (subject === 'statuses') return null
      return {
        component: 'after',
        description:
          'The `next` of the previous page. The list continues after its last item, at the same cost for every page. Replaces `page`; the order and the filters must be the same.',
        schema: { ...TEXT, minLength: 1 },
      }
    },
  },
  { name: 'orderBy', watch: false, describe: (subject) => ORDER_BY[subject] },
  {
    name: 'order',
    watch: false,
    describe: everywhere({
      component: 'order',
      allowReserved: true,
      description:
        '`asc` or `desc`: the default direction of the fields in `orderBy`. Any other value is a list in the format of `orderBy`, such as `name desc,created_time asc`, and replaces `orderBy`.',
      schema: TEXT,
      example: 'asc',
    }),
  },
  {
    name: 'search',
    watch: true,
    describe: (subject) => (subject === 'statuses' ? STATUS_SEARCH : SEARCH),
    condition: (value) => value,
  },
  {
    name: 'fields',
    watch: true,
    describe: (subject) => (subject === 'statuses' ? STATUS_FIELDS : RESOURCE_FIELDS),
  },
  {
    name: 'watch',
    watch: true,
    describe: everywhere({
      component: 'watch',
      description:
        'With `true`, the response is a stream of events: one JSON object per line, or server-sent events with `Accept: text/event-stream`. The stream first sends every existing item as ADDED, then a BOOKMARK, then every change. A watch rejects parameters of pages and their order.',
      schema: { type: 'boolean' },
    }),
  },
  {
    name: 'resourceVersion',
    watch: true,
    describe: everywhere({
      component: 'watchResourceVersion',
      description:
        'Starts a watch after this `resource_version` of a list or an event. If the server no longer has the changes since then, the response is 410.',
      schema: TEXT,
    }),
  },
  {
    name: 'resource_version',
    aliasOf: 'resourceVersion',
    watch: true,
    describe: everywhere({
      component: 'resourceVersionAlias',
      description: 'An alias of `resourceVersion`.',
      schema: TEXT,
    }),
  },
  {
    name: 'Last-Event-ID',
    aliasOf: 'resourceVersion',
    watch: true,
    describe: everywhere({
      component: 'lastEventId',
      in: 'header',
      description: 'Replaces `resourceVersion` when a watch of server-sent events reconnects.',
      schema: TEXT,
    }),
  },
  {
    name: 'minResourceVersion',
    watch: true,
    describe: everywhere({
      component: 'minResourceVersion',
      description:
        'A resource version, the `X-Write-Token` of a write, or `latest`, which includes everything committed before the request. The server waits up to 3 s until the result is this recent.',
      schema: TEXT,
    }),
  },
  {
    name: 'kind',
    watch: true,
    describe: (subject, kinds) => {
      if (subject !== 'all-kinds') return null
      const [first] = listableKinds({ kinds })
      return {
        description: 'Returns only resources of this kind.',
        schema: { ...TEXT, ...(first && { example: first.kind }) },
      }
    },
  },
  {
    name: 'ref_type',
    watch: false,
    describe: (subject, kinds) => {
      const types = referenceTypesOf(kinds)
      if (subject === 'statuses' || types.length === 0) return null
      return {
        description: 'Returns only resources with a reference of this type.',
        schema: { ...TEXT, enum: types },
      }
    },
  },
  {
    name: 'ref_target_id',
    watch: false,
    describe: (subject, kinds) => {
      if (subject === 'statuses' || referenceTypesOf(kinds).length === 0) return null
      return {
        allowReserved: true,
        description:
          'Returns only resources that refer to the resource with this ID. With `ref_type`, the reference must have that type.',
        schema: { ...TEXT, minLength: 1 },
      }
    },
  },
  {
    name: 'shard',
    watch: true,
    describe: (subject) => {
      if (subject === 'statuses') return null
      return {
        component: 'shard',
        description:
          'The name of a shard, from a system of a sharded installation. Without it, a list of a system contains the resources of all shards, and a watch is rejected. Other requests with it are rejected.',
        schema: { ...TEXT, minLength: 1 },
      }
    },
  },
]
