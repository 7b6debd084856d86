import type { StatusRecord } from '../../src/store/model/status-record.ts'
import type { Resource } from '../../src/store/model/resource.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { inputJson, stored } from '../../src/store/database/prisma-values.ts'
import type { ReportTimesText } from '../../src/store/status-records/report-times.ts'
import type { ResourceKey } from '../../src/store/resources/resource-key.ts'
import { conditionType } from '../../src/hyperfleet/statuses/conditions/condition-type.ts'
import { conditionMap } from '../../src/store/resources/resource-row.ts'
import type { HotStatements } from '../storage/hot-statements.ts'

/** The hot statements as Prisma's client says them, with equal results. */
export const prismaStatements: HotStatements = {
  insertResource: async ({ prisma }, resource, parentKind) => {
    if (parentKind === null) return insert(prisma, resource)
    return prisma.$transaction(async (transaction) => {
      const parent = await transaction.resource.findFirst({
        where: { id: resource.ownerId, kind: parentKind },
        select: { deletedTime: true },
      })
      if (!parent) return 'parent-missing'
      return parent.deletedTime ? 'parent-deleted' : insert(transaction, resource)
    })
  },

  readResources: async ({ prisma }, wanted) => {
    const records = await prisma.resource.findMany({
      where: { id: { in: wanted.map(({ id }) => id) } },
      include: { statuses: { select: REPORT_TIMES } },
    })
    const known = new Map(wanted.map(({ id, cachedVersion: version }) => [id, version]))
    return new Map(
      records.map(({ statuses, ...record }) => {
        const { id, version } = record
        const resource = known.get(id) === version ? null : readOf(record)
        return [id, { id, version, reportTimes: timesTextOf(statuses), resource }]
      }),
    )
  },

  listResources: async ({ prisma }, { kind, ownerId, limit, offset }) => {
    const where = { kind, ...(ownerId !== null && { ownerId }) }
    const records = await prisma.resource.findMany({
      where,
      orderBy: [{ createdTime: 'desc' }, { id: 'desc' }],
      take: limit,
      skip: offset,
      include: { statuses: { select: REPORT_TIMES } },
    })
    return records.map(listedOf)
  },

  readForReport: async ({ prisma }, key, adapter) => {
    const record = await prisma.resource.findFirst({
      where: whereOf(key),
      include: { statuses: { omit: { data: true, metadata: true } } },
    })
    if (!record) return null
    const states = record.statuses.map((status) => {
      const {
        data: _data,
        metadata: _metadata,
        ...state
      } = statusRecordOf({
        ...status,
        data: null,
        metadata: null,
      })
      const conditions = status.adapter === adapter ? state.conditions : []
      return { ...state, conditions, rowVersion: status.rowVersion }
    })
    const { id, tenant, kind, ownerId, generation, version, conditions, deletedTime, updatedTime } =
      resourceOfRecord(record)
    return {
      resource: {
        id,
        tenant,
        kind,
        ownerId,
        generation,
        version,
        conditions,
        requiredAdapters: null,
        deletedTime,
      },
      updatedTime,
      states,
    }
  },

  storeReport: ({ prisma }, { resource, conditions, status, rowVersion, awaitsChildren }) =>
    prisma.$transaction(async (transaction) => {
      const { count } = await transaction.resource.updateMany({
        where: { id: resource.id, version: resource.version },
        data: {
          conditions: inputJson(conditions),
          cond: inputJson(conditionMap(conditions)),
          version: { increment: 1 },
        },
      })
      if (count === 0) return false
      const { adapter } = status
      const data = { ...valuesOf(status), rowVersion: rowVersion + 1 }
      const { count: stored } =
        rowVersion === 0
          ? await transaction.adapterStatus.createMany({
              data: { ...data, resourceId: resource.id, adapter, createdTime: status.createdTime },
              skipDuplicates: true,
            })
          : await transaction.adapterStatus.updateMany({
              where: { resourceId: resource.id, adapter, rowVersion: rowVersion },
              data,
            })
      const child = awaitsChildren
        ? await transaction.resource.findFirst({ where: { ownerId: resource.id } })
        : true
      if (stored === 1 && child !== null) return true
      throw Object.assign(new Error('changed since it was read'), { code: '40001' })
    }),

  touchReport: async (
    { prisma },
    { resource: { id: resourceId }, status, rowVersion: revision },
  ) => {
    const { count } = await prisma.adapterStatus.updateMany({
      where: { resourceId, adapter: status.adapter, rowVersion: revision },
      data: { ...valuesOf(status), createdTime: status.createdTime, rowVersion: { increment: 1 } },
    })
    return count === 1
  },
}

const REPORT_TIMES = { adapter: true, availableGeneration: true, lastReportTime: true } as const

type Client = Prisma.TransactionClient

/** JSON text in the form of JSON.stringify: PostgreSQL writes more spaces. */
function readOf(record: Prisma.ResourceGetPayload<object>) {
  const { spec, labels, annotations, ...resource } = resourceOfRecord(record)
  const [specText = '', labelsText = '', annotationsText = ''] = [spec, labels, annotations].map(
    (value) => JSON.stringify(value),
  )
  return { ...resource, spec: specText, labels: labelsText, annotations: annotationsText }
}

async function insert(prisma: Client, row: Resource) {
  const { requiredAdapters: _requiredAdapters, ...resource } = row
  const { count } = await prisma.resource.createMany({
    data: {
      ...resource,
      spec: inputJson(resource.spec),
      labels: inputJson(resource.labels),
      annotations: inputJson(resource.annotations),
      refs: inputJson(resource.refs),
      conditions: inputJson(resource.conditions),
      cond: inputJson(conditionMap(resource.conditions)),
    },
    skipDuplicates: true,
  })
  return count === 1 ? 'inserted' : 'name-taken'
}

function whereOf({ kind, id, ownerId }: ResourceKey) {
  return { id, kind, ...(ownerId !== undefined && { ownerId }) }
}

type ListedRecord = Prisma.ResourceGetPayload<{
  include: { statuses: { select: typeof REPORT_TIMES } }
}>

function listedOf({ statuses, id, version }: ListedRecord) {
  return { id, version, reportTimes: timesTextOf(statuses), resource: null }
}

function timesTextOf(statuses: ListedRecord['statuses']): ReportTimesText {
  const entries = statuses.map(({ adapter, availableGeneration, lastReportTime }) => {
    return [adapter, availableGeneration, lastReportTime.getTime() * 1000]
  })
  return entries.length === 0 ? null : JSON.stringify(entries)
}

function valuesOf(status: StatusRecord) {
  const { available, metadata } = status
  return {
    observedGeneration: status.observedGeneration,
    conditions: inputJson(status.conditions),
    available: available ? inputJson(available) : Prisma.DbNull,
    availableGeneration: available?.observed_generation ?? null,
    data: inputJson(status.data),
    metadata: metadata ? inputJson(metadata) : Prisma.DbNull,
    lastReportTime: status.lastReportTime,
    observedTime: status.observedTime,
    finalized: status.finalized,
    conditionType: conditionType(status.adapter),
  }
}

/** Converts Prisma's record to the model. */
function resourceOfRecord(record: Prisma.ResourceGetPayload<object>): Resource {
  const { cond: _cond, ...resource } = record
  return {
    ...resource,
    spec: stored(record.spec),
    labels: stored(record.labels),
    annotations: stored(record.annotations),
    refs: stored(record.refs),
    conditions: stored(record.conditions),
    requiredAdapters: stored(record.requiredAdapters),
  }
}

function statusRecordOf(record: Prisma.AdapterStatusGetPayload<object>): StatusRecord {
  return {
    adapter: record.adapter,
    observedGeneration: record.observedGeneration,
    available: stored(record.available),
    conditions: stored(record.conditions),
    data: stored(record.data),
    metadata: stored(record.metadata),
    finalized: record.finalized,
    observedTime: record.observedTime,
    createdTime: record.createdTime,
    lastReportTime: record.lastReportTime,
  }
}
