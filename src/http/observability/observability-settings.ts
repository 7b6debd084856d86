import { type NameValuePairs, readNameValuePairs } from '../../lib/settings/name-value-pairs.ts'
import {
  choice,
  milliseconds,
  type Setting,
  text,
  MAX_TIMER_MS,
  readInteger,
  retired,
} from '../../lib/settings/setting.ts'

/** The settings of traces and of the slow-query log. */
export const OBSERVABILITY_SETTINGS = {
  slowQueryMs: milliseconds({
    env: 'SLOW_QUERY_MS',
    reloadable: true,
    min: 0,
    default: 0,
    doc: 'Minimum duration in milliseconds of the statements in the slow-query log, which names their request and its search. 0 turns the log off: see docs/monitoring.md.',
  }),
  otlpEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    type: 'URL',
    default: null as string | null,
    doc: 'URL of an OpenTelemetry collector (`http://127.0.0.1:4318`), which receives traces at `/v1/traces` below it. If unset, the server does not trace: see docs/monitoring.md.',
    read: readHttpUrl,
  },
  otlpProtocol: choice({
    env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    of: ['http/protobuf', 'http/json'],
    default: 'http/protobuf',
    doc: 'Encoding of traces.',
  }),
  otlpHeaders: pairs({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    doc: 'Headers of requests to the collector (`authorization=Bearer%20token`).',
  }),
  otelServiceName: text({
    env: 'OTEL_SERVICE_NAME',
    default: 'flotilla',
    doc: 'Name of this service in traces.',
  }),
  otelResourceAttributes: pairs({
    env: 'OTEL_RESOURCE_ATTRIBUTES',
    doc: 'More attributes of this service in traces (`deployment.environment.name=production`).',
  }),
  otelTracesSampler: choice({
    env: 'OTEL_TRACES_SAMPLER',
    of: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    default: 'parentbased_always_on',
    doc: 'Which requests are traced: all, none, or the share in OTEL_TRACES_SAMPLER_ARG. The samplers with `parentbased` follow the decision in `traceparent`, if the request has one.',
  }),
  otelTracesSamplerArg: {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    type: 'number from 0 to 1',
    default: 1,
    doc: 'Share of traces that `traceidratio` and `parentbased_traceidratio` record.',
    read: readRatio,
  },
  otlpTimeoutMs: retired({
    env: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    doc: 'the collector has 10 s',
    read: (value) => readInteger(value, { min: 100, max: MAX_TIMER_MS }),
  }),
} as const satisfies Record<string, Setting<unknown>>

function pairs(row: Pick<Setting<NameValuePairs>, 'env' | 'doc'>): Setting<NameValuePairs> {
  return {
    ...row,
    type: 'comma list of name=value',
    default: {},
    read: readNameValuePairs,
  }
}

function readHttpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  const isUsable = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (isUsable && url.search === '' && url.hash === '') return value
  throw new Error('expected a URL such as http://127.0.0.1:4318')
}

function readRatio(value: string): number {
  const ratio = Number(value)
  if (/^(\d+(\.\d*)?|\.\d+)$/.test(value) && ratio <= 1) return ratio
  throw new Error(`expected a number from 0 to 1, found '${value}'`)
}
