import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { readAdaptersSearch } from '../adapters/adapters-search.ts'
import { Skeleton } from '../design/states/skeleton.tsx'
import { readCreateSearch } from '../edit/create-search.ts'
import { readOverviewSearch } from '../overview/overview-search.ts'
import { readNewObjectSearch, readObjectsSearch } from '../planes/objects/objects-search.ts'
import { readListSearch } from '../resources/list-search.ts'
import { readSandboxesSearch, readSandboxSearch } from '../sandboxes/sandboxes-search.ts'
import { readTimelineFilter } from '../timeline/timeline-filter.ts'
import { startView } from '../views/start-view.ts'
import { Layout } from './layout.tsx'
import { PageError } from './page-error.tsx'
import { pageCode } from './page-load-error.ts'
import { UnknownPage } from './unknown-page.tsx'

const root = createRootRoute({
  component: Layout,
  errorComponent: PageError,
  notFoundComponent: UnknownPage,
})
const parent = { getParentRoute: () => root }

/** Whether the browser has opened the address of the console itself, and nothing else since. */
let isOpened = /^\/console\/?$/.test(window.location.pathname) && window.location.search === ''

/** Redirects from the address of the console to the view that this browser opens first. */
function openStartView(): void {
  const name = isOpened ? startView() : null
  isOpened = false
  if (name !== null) throw redirect({ to: '/views/$name', params: { name }, replace: true })
}

/** Each page is a file that is loaded when the page is opened. */
const routes = [
  createRoute({
    ...parent,
    path: '/',
    validateSearch: readOverviewSearch,
    beforeLoad: openStartView,
    component: lazyRouteComponent(
      pageCode(() => import('../overview/overview-page.tsx')),
      'OverviewPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/adapters',
    validateSearch: readAdaptersSearch,
    component: lazyRouteComponent(
      pageCode(() => import('../adapters/adapters-page.tsx')),
      'AdaptersPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/timeline',
    validateSearch: readTimelineFilter,
    component: lazyRouteComponent(
      pageCode(() => import('../timeline/timeline-page.tsx')),
      'TimelinePage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/resources/$plural',
    validateSearch: readListSearch,
    component: lazyRouteComponent(
      pageCode(() => import('../resources/list-page.tsx')),
      'ListPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/resources/$plural/new',
    validateSearch: readCreateSearch,
    component: lazyRouteComponent(
      pageCode(() => import('../edit/create-page.tsx')),
      'CreatePage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/resources/$plural/$id',
    component: lazyRouteComponent(
      pageCode(() => import('../resource/resource-page.tsx')),
      'ResourcePage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/resources/$plural/$id/edit',
    component: lazyRouteComponent(
      pageCode(() => import('../edit/edit-page.tsx')),
      'EditPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/views/$name',
    component: lazyRouteComponent(
      pageCode(() => import('../views/view-page.tsx')),
      'ViewPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/fleets',
    component: lazyRouteComponent(
      pageCode(() => import('../fleets/fleets-page.tsx')),
      'FleetsPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/fleets/$name',
    component: lazyRouteComponent(
      pageCode(() => import('../fleets/fleet-page.tsx')),
      'FleetPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/planes',
    component: lazyRouteComponent(
      pageCode(() => import('../planes/planes-page.tsx')),
      'PlanesPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/planes/$plane',
    component: lazyRouteComponent(
      pageCode(() => import('../planes/plane-page.tsx')),
      'PlanePage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/planes/$plane/$group/$version/$plural',
    validateSearch: readObjectsSearch,
    component: lazyRouteComponent(
      pageCode(() => import('../planes/objects/objects-page.tsx')),
      'ObjectsPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/planes/$plane/$group/$version/$plural/new',
    validateSearch: readNewObjectSearch,
    component: lazyRouteComponent(
      pageCode(() => import('../planes/objects/new-object-page.tsx')),
      'NewObjectPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/planes/$plane/$group/$version/$plural/$namespace/$name',
    component: lazyRouteComponent(
      pageCode(() => import('../planes/objects/object-page.tsx')),
      'ObjectPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/sandboxes',
    validateSearch: readSandboxesSearch,
    component: lazyRouteComponent(
      pageCode(() => import('../sandboxes/sandboxes-page.tsx')),
      'SandboxesPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/sandboxes/$plane/$namespace/$name',
    validateSearch: readSandboxSearch,
    component: lazyRouteComponent(
      pageCode(() => import('../sandboxes/sandbox-page.tsx')),
      'SandboxPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/settings',
    component: lazyRouteComponent(
      pageCode(() => import('../settings/settings-page.tsx')),
      'SettingsPage',
    ),
  }),
] as const

/** The pages of the console. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: Skeleton,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: UnknownPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
