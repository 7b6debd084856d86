import { Link } from '@tanstack/react-router'
import { buttonClass } from '../design/button-class.ts'
import { EmptyState } from '../design/states/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** An address without a page. */
export function UnknownPage() {
  return (
    <Page title="Not found">
      <EmptyState
        icon="question"
        title="There is no page at this address"
        actions={
          <Link to="/" className={buttonClass()}>
            Go to the overview
          </Link>
        }
      >
        Check the address, or look for the object in the navigation.
      </EmptyState>
    </Page>
  )
}
