import { Link } from '@tanstack/react-router'
import { createElement, Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { kindIcon } from '../app/nav-items.ts'
import { Icon } from '../design/icon.tsx'
import { TextField } from '../design/text-field.tsx'
import type { PlaneKind } from '../kube/plane-kind.ts'
import { groupKinds } from './group-kinds.ts'
import css from './kind-list.module.css'
import { kindParams } from './plane-address.ts'

interface KindListProps {
  readonly plane: string
  readonly kinds: readonly PlaneKind[]
}

/** The kinds of a plane by their groups, with a filter. */
export function KindList({ plane, kinds }: KindListProps) {
  const [text, setText] = useState('')
  const groups = groupKinds(kinds, text)
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <nav ref={list} aria-label="Kinds of the plane" className={css['list']}>
      <TextField
        label="Find a kind"
        type="search"
        value={text}
        onChange={setText}
        placeholder="configmaps, example.com"
        autoComplete="off"
      />
      {groups.length === 0 && <p className={css['none']}>No kind has this name.</p>}
      <div className={css['groups']}>
        {groups.map(({ group, kinds: members }) => (
          <section key={group} className={css['group']}>
            <h2 className={css['title']}>{group === '' ? 'core' : group}</h2>
            <ul>
              {members.map((kind) => (
                <li key={kind.plural}>
                  <Link
                    to="/planes/$plane/$group/$version/$plural"
                    params={kindParams(plane, kind)}
                    className={css['kind'] ?? ''}
                    activeProps={{ className: css['active'] ?? '' }}
                  >
                    <Icon name={kindIcon(kind.plural)} size={14} />
                    <span>{breakable(kind.kind)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  )
}

/** A long kind breaks between its words. */
function breakable(kind: string): ReactNode {
  const words = kind.split(/(?<=[a-z])(?=[A-Z])/)
  return createElement(Fragment, null, ...words.flatMap((word) => [createElement('wbr'), word]))
}
