import { beforeAll, describe } from 'vitest'
import type { PlaneClient } from './plane-client.ts'
import { concurrencyRules } from './rules/concurrency-rules.ts'
import { deletingRules } from './rules/deleting-rules.ts'
import { objectRules } from './rules/object-rules.ts'
import { readingRules } from './rules/reading-rules.ts'
import { representationRules } from './rules/representation-rules.ts'
import { watchingRules } from './rules/watching-rules.ts'
import { writingRules } from './rules/writing-rules.ts'
import { installSites, type Subject } from './subjects.ts'
import type { Suite } from './suite.ts'

/** Tests the rules of a resource against a plane of any server. */
export function conformance(subject: Subject, plane: () => PlaneClient): void {
  const namespace = `conformance-${subject.plural}`
  const suite: Suite = { subject, namespace, plane }

  describe(subject.title, () => {
    beforeAll(async () => {
      const body = { metadata: { name: namespace } }
      await plane().call('POST', '/api/v1/namespaces', { body })
      if (subject.isCustom) await installSites(plane())
    })
    objectRules(suite)
    concurrencyRules(suite)
    readingRules(suite)
    representationRules(suite)
    watchingRules(suite)
    writingRules(suite)
    deletingRules(suite)
  })
}
