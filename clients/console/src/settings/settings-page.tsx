import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { chooseDensity, useDensity } from '../app/density.ts'
import { chooseTheme, onThemeChoice, themeChoice } from '../app/theme.ts'
import { whoAmIQuery } from '../data/who-am-i.ts'
import { Button } from '../design/button.tsx'
import { ErrorState } from '../design/states/error-state.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { SelectField } from '../design/select-field.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { Facts } from '../kube/facts.tsx'
import { session } from '../session/connection.ts'
import { TokenForm } from '../session/token-dialog.tsx'
import { showOverlay } from '../search/overlay-store.ts'
import { SavedSearches } from './saved-searches.tsx'
import css from './settings-page.module.css'
import { timeText } from './time-text.ts'
import { versionQuery } from './version-query.ts'

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact: a third more rows' },
] as const

/** The user, the token, the appearance and the versions. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <div className={css['page']}>
        <Panel title="You">
          <div className={css['padded']}>
            <IdentityFacts />
          </div>
        </Panel>
        <Panel title="Token">
          <div className={css['padded']}>
            <TokenSettings />
          </div>
        </Panel>
        <Panel title="Appearance">
          <div className={css['padded']}>
            <ThemeSettings />
          </div>
        </Panel>
        <Panel title="Saved filters">
          <SavedSearches />
        </Panel>
        <Panel title="Server">
          <div className={css['padded']}>
            <ServerFacts />
          </div>
        </Panel>
      </div>
    </Page>
  )
}

const AUTHENTICATION: Readonly<Record<string, string>> = {
  none: 'Off: the server accepts requests without a token',
  token: 'By a bearer token',
  gateway: 'By a gateway',
}

function IdentityFacts() {
  const identity = useQuery(whoAmIQuery)
  if (identity.isPending) return <Skeleton lines={3} />
  if (identity.isError) {
    return <ErrorState error={identity.error} onRetry={() => void identity.refetch()} />
  }
  const { user, groups, tenant, authentication, expires_time: expires } = identity.data
  return (
    <Facts
      facts={[
        { label: 'User', value: user },
        { label: 'Groups', value: groups.join(', ') },
        {
          label: 'Tenant',
          value:
            tenant &&
            Object.entries(tenant)
              .map(([dimension, value]) => `${dimension}: ${value}`)
              .join(', '),
        },
        { label: 'Authentication', value: AUTHENTICATION[authentication] },
        { label: 'Token expires', value: expires && timeText(expires) },
        {
          label: 'Authorization',
          value: identity.data.authorization === 'rbac' ? 'By roles' : 'Off: everything is allowed',
        },
      ]}
    />
  )
}

function TokenSettings() {
  const hasToken = useSyncExternalStore(session.subscribe, () => session.currentToken() !== '')
  const place = session.remembered ? 'on this device' : 'in this tab'
  return (
    <>
      {hasToken && (
        <p className={css['row']}>
          <span>A token is kept {place}.</span>
          <Button onClick={() => session.signOut()}>Forget the token</Button>
        </p>
      )}
      <TokenForm />
    </>
  )
}

function ThemeSettings() {
  const theme = useSyncExternalStore(onThemeChoice, themeChoice)
  const density = useDensity()
  return (
    <>
      <SelectField label="Theme" value={theme} options={THEMES} onChange={chooseTheme} />
      <SelectField
        label="Rows of lists"
        value={density}
        options={DENSITIES}
        onChange={chooseDensity}
      />
      <p>
        <Button onClick={() => showOverlay('help')}>Show the keyboard shortcuts</Button>
      </p>
    </>
  )
}

function ServerFacts() {
  const version = useQuery(versionQuery)
  return (
    <Facts
      facts={[
        { label: 'Address', value: window.location.origin },
        { label: 'API', value: 'HyperFleet v1' },
        { label: 'API of planes', value: version.data?.gitVersion },
        { label: 'Node.js', value: version.data?.goVersion },
        { label: 'Platform', value: version.data?.platform },
      ]}
    />
  )
}
