import { Badge } from '../../design/badge.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import { toYaml } from '../../edit/yaml/to-yaml.ts'
import { type AdapterRow, STATE_LOOKS } from './adapter-row.ts'
import css from './adapters.module.css'
import { GenerationMeter } from './generation-meter.tsx'

interface AdapterCardProps {
  readonly row: AdapterRow
  /** The generation of the resource. */
  readonly generation: number
}

/** One adapter: its state, its generation and its last report. */
export function AdapterCard({ row, generation }: AdapterCardProps) {
  const { adapter, isRequired, requirement, report } = row
  const { state, observedGeneration, since, reason, message } = requirement
  const { label, tone, icon } = STATE_LOOKS[state]
  return (
    <li className={`${css['card']} ${css[tone]}`}>
      <div className={css['top']}>
        <h3 className={css['name']}>{adapter}</h3>
        <Badge tone={tone} icon={icon}>
          {label}
          {since !== null && state !== 'satisfied' && (
            <>
              {' for '}
              <TimeAgo time={since} />
            </>
          )}
        </Badge>
      </div>
      <GenerationMeter observed={observedGeneration} current={generation} />
      {(reason !== null || message !== null) && (
        <p className={css['reason']}>
          {reason !== null && <strong>{reason}</strong>} {message}
        </p>
      )}
      <div className={css['foot']}>
        <span>{isRequired ? 'Required for Ready' : 'Optional'}</span>
        {report === null ? (
          <span>no report yet</span>
        ) : (
          <span>
            reported <TimeAgo time={report.last_report_time} suffix=" ago" />
          </span>
        )}
      </div>
      {report !== null && <ReportDetails report={report} />}
    </li>
  )
}

function ReportDetails({ report }: { readonly report: NonNullable<AdapterRow['report']> }) {
  const { conditions, data } = report
  return (
    <details className={css['details']}>
      <summary>Last report</summary>
      <ul className={css['conditions']}>
        {conditions.map(({ type, status, reason, message }) => (
          <li key={type}>
            <span className={css['type']}>{type}</span>
            <span className={css[status === 'True' ? 'isTrue' : 'isFalse']}>{status}</span>
            <span className={css['text']}>
              {[reason, message].filter((part) => part !== undefined && part !== '').join(': ')}
            </span>
          </li>
        ))}
      </ul>
      {Object.keys(data ?? {}).length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long data scrolls
        <pre className={css['data']} tabIndex={0} aria-label="Data of the report">
          {toYaml(data)}
        </pre>
      )}
    </details>
  )
}
