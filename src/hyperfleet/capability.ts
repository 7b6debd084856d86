import { defineCapability } from '../capability/capability.ts'
import type { JsonObject } from '../lib/json/json.ts'
import { throwIfInvalid } from '../lib/settings/config-error.ts'
import { type IndexedField, indexedFieldsOf } from '../store/indexes/indexed-field.ts'
import { indexesOf } from '../store/indexes/resource-index.ts'
import { startIndexBuild } from '../store/indexes/start-index-build.ts'
import type { Representation } from '../store/operations/read/representation.ts'
import { createApp } from './app.ts'
import { HYPERFLEET_SETTINGS } from './hyperfleet-settings.ts'
import { openOperations } from './open-operations.ts'
import type { BaseDocument } from './openapi/compose.ts'
import { loadBase, loadParts } from './openapi/load.ts'
import type { ApiPart } from './routes/api-part.ts'
import type { AppOptions } from './routes/app-options.ts'
import type { StatusContext } from './statuses/operations/status-context.ts'
import type { AcceptedReport } from './verbs/handler.ts'
import { hyperfleetRepresentation } from './wire/representation.ts'
import type { WireOptions } from './wire/resource.ts'

const BASE = new URL('../../openapi/base.yaml', import.meta.url)

/** The ports of the HyperFleet API. */
export interface Hyperfleet {
  readonly operations: StatusContext
  readonly wire: WireOptions
  readonly representation: Representation
  /** The OpenAPI document without kinds and parts. */
  readonly base: BaseDocument
  readonly defaultPageSize: number
  /** The fields of specs that INDEXED_FIELDS declares. */
  readonly indexedFields: readonly IndexedField[]
  /** Called after each accepted report. They must not throw. */
  readonly reportListeners: ((report: AcceptedReport) => void)[]
  /** Adds routes, verbs and parts of the document. Called when all capabilities are sealed. */
  addPart(create: () => ApiPart): void
  /** The handlers of the kinds' subresources, by their names. */
  subresources: AppOptions['subresources']
  /** Composes the document of fleets; null without fleets. */
  fleetDocument: (() => JsonObject) | null
  readonly parts: readonly (() => ApiPart)[]
}

/** The HyperFleet API v1: kinds, reports and conditions, and the application that serves them. */
export const hyperfleet = defineCapability({
  name: 'hyperfleet',
  needs: {},
  settings: HYPERFLEET_SETTINGS,
  async open(parts): Promise<Hyperfleet> {
    const { config, registry } = parts
    const unknown = config.indexedFields.filter(({ kind }) => registry.find(kind) === null)
    throwIfInvalid(unknown.map(({ kind }) => `INDEXED_FIELDS: '${kind}' is not a kind`))
    const wire = { registry, family: config.conditionFamily }
    const representation = hyperfleetRepresentation(wire)
    const added: (() => ApiPart)[] = []
    return {
      operations: openOperations(parts, representation),
      wire,
      representation,
      base: await loadBase(BASE),
      defaultPageSize: config.defaultPageSize,
      indexedFields: indexedFieldsOf(config.indexedFields),
      reportListeners: [],
      addPart: (create) => void added.push(create),
      subresources: {},
      fleetDocument: null,
      parts: added,
    }
  },
  async seal(parts, ports) {
    const {
      admission,
      api,
      browserCheck,
      clock,
      config,
      log,
      metrics,
      rateLimits,
      settings,
      tracer,
    } = parts
    const { base, defaultPageSize, fleetDocument, operations, representation, wire } = ports
    const onReport = (report: AcceptedReport): void => {
      for (const listener of ports.reportListeners) listener(report)
    }
    api.app = createApp({
      ...api,
      parts: ports.parts.map((create) => create()),
      verbs: { operations, metrics, onReport, defaultPageSize, wire, representation },
      subresources: ports.subresources,
      log,
      clock,
      base,
      documentParts: await loadParts(parts.openapi),
      fleetDocument,
      rateLimits,
      admission,
      browserCheck,
      scope: { tracer, isRecorded: () => settings.current.slowQueryMs > 0 },
      corsOrigins: () => settings.current.corsOrigins,
      unknownParameters: config.unknownParameters,
      bodyLimit: config.bodyLimitBytes,
      bulkBodyLimit: config.bulkBodyLimitBytes,
      indexedFields: ports.indexedFields,
      createProof: config.verifyOpenapi ? await loadProof() : null,
    })
  },
  run({ config, database, lifecycle, log }) {
    const indexes = config.indexedFields.flatMap(indexesOf)
    const build = startIndexBuild(database, { indexes, log })
    lifecycle.onClose('build of indexes', () => build[Symbol.asyncDispose]())
  },
})

/** The package is loaded only for servers that verify themselves. */
async function loadProof(): Promise<NonNullable<AppOptions['createProof']>> {
  const { createProof } = await import('../http/validation/openapi-proof.ts')
  return createProof
}
