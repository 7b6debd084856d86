import { isObject } from '../../../../typescript/src/http/json.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import { Panel } from '../../design/panel.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import { toYaml } from '../../edit/yaml/to-yaml.ts'
import { ConditionList } from '../../kube/condition-list.tsx'
import { Facts } from '../../kube/facts.tsx'
import type { KubeCondition, KubeObject } from '../../kube/kube-object.ts'
import css from './object-facts.module.css'

/** What the server knows about an object: its metadata, conditions and status. */
export function ObjectFacts({ object }: { readonly object: KubeObject }) {
  const { metadata } = object
  const status: unknown = 'status' in object ? object.status : undefined
  const conditions = isObject(status) ? readConditions(status['conditions']) : []
  const owner = metadata.ownerReferences?.[0]
  return (
    <>
      <Panel title="Object">
        <div className={css['padded']}>
          <Facts
            facts={[
              { label: 'Namespace', value: metadata.namespace },
              {
                label: 'Age',
                value: metadata.creationTimestamp && <TimeAgo time={metadata.creationTimestamp} />,
              },
              { label: 'Generation', value: metadata.generation },
              { label: 'Resource version', value: metadata.resourceVersion },
              { label: 'Owner', value: owner && `${owner.kind} ${owner.name}` },
              {
                label: 'UID',
                value: metadata.uid && (
                  <span className={css['id']}>
                    <code>{metadata.uid}</code>
                    <CopyButton text={metadata.uid} label="Copy the UID" />
                  </span>
                ),
              },
            ]}
          />
        </div>
      </Panel>
      {conditions.length > 0 && (
        <Panel title="Conditions">
          <ConditionList conditions={conditions} />
        </Panel>
      )}
      {isObject(status) && Object.keys(status).length > 0 && (
        <details className={css['status']}>
          <summary>Status</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll */}
          <pre tabIndex={0}>{toYaml(status)}</pre>
        </details>
      )}
    </>
  )
}

function readConditions(value: unknown): readonly KubeCondition[] {
  return Array.isArray(value) ? value.filter(isCondition) : []
}

function isCondition(value: unknown): value is KubeCondition {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['status'] === 'string'
}
