import { NOT_READY_SEARCH } from './searches.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { SAMPLES } from '../rig/create-samples.ts'

/** A page of the console that the drill looks at in both themes and at both widths. */
export interface ConsolePage {
  readonly name: string
  /** Below `/console`. */
  readonly path: string
  /** A text that the page shows when its data is there. */
  readonly shows: string | RegExp
  /** A CSS selector of content that differs from run to run, such as IDs. */
  readonly hides?: string
}

type Fleet = Pick<ConsoleRig, 'clusterId' | 'clusters'>

/** Every page with data. */
export function consolePages({ clusterId, clusters }: Fleet): readonly ConsolePage[] {
  const search = encodeURIComponent(NOT_READY_SEARCH)
  const { fleet, sandbox, configMap, view } = SAMPLES
  return [
    {
      name: 'overview',
      path: '/',
      shows: new RegExp(`${Math.floor(clusters / 1000)},\\d{3}`),
      hides: '[aria-label$="per second"] *',
    },
    {
      name: 'adapters',
      path: '/adapters',
      shows: 'Adapters of clusters',
      hides: 'td[data-label="Reports/s"]',
    },
    { name: 'timeline', path: `/timeline?what=${configMap}`, shows: 'created' },
    { name: 'clusters', path: '/resources/clusters?sort=name', shows: 'games-000004' },
    { name: 'clusters-not-ready', path: `/resources/clusters?q=${search}`, shows: /-0\d{5}/ },
    {
      name: 'node-pools',
      path: '/resources/nodepools',
      shows: 'pool-1',
      hides: '[data-column=parent]',
    },
    {
      name: 'cluster',
      path: `/resources/clusters/${clusterId}`,
      shows: 'validator',
      hides: 'dd code, h2 + span, ol:has(time)',
    },
    { name: 'create-cluster', path: '/resources/clusters/new', shows: 'Create' },
    { name: 'views', path: '/resources/views', shows: view },
    { name: 'view', path: `/views/${view}`, shows: `View ${view}` },
    { name: 'unknown-view', path: '/views/none', shows: 'There is no view none' },
    { name: 'fleets', path: '/fleets', shows: fleet },
    { name: 'fleet', path: `/fleets/${fleet}`, shows: 'Available 24' },
    { name: 'planes', path: '/planes', shows: 'Root plane' },
    { name: 'plane-objects', path: '/planes/root/core/v1/configmaps', shows: configMap },
    {
      name: 'plane-object',
      path: `/planes/root/core/v1/configmaps/default/${configMap}`,
      shows: 'Many small boats',
      hides: 'dd, ol:has(time)',
    },
    {
      name: 'sandboxes',
      path: '/sandboxes',
      shows: sandbox,
      hides: 'td[data-label=Runtime]',
    },
    { name: 'sandbox', path: `/sandboxes/root/default/${sandbox}`, shows: 'Restarts', hides: 'dd' },
    { name: 'settings', path: '/settings', shows: 'Settings', hides: 'dd' },
    { name: 'unknown-page', path: '/no/such/page', shows: 'Overview' },
  ]
}
