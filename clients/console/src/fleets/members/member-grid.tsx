import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { FleetMember } from '../../../../typescript/src/generated/kplane.ts'
import { drawMembers, type GridColors } from './draw-members.ts'
import { type GridLayout, indexAfterKey, indexAt, layoutGrid } from './grid-layout.ts'
import css from './member-grid.module.css'
import {
  countStates,
  describeCounts,
  MEMBER_STATES,
  memberState,
  STATE_LABELS,
} from './member-state.ts'
import { useTheme } from '../../design/hooks/use-theme.ts'

interface MemberGridProps {
  readonly members: readonly FleetMember[]
  /** The number of desired members that do not exist yet. */
  readonly missing: number
  /** The name of the selected member. */
  readonly selected: string | null
  readonly onSelect: (name: string) => void
}

/**
 * A square per member, drawn on a canvas so that 10 000 members stay fluid. The keyboard and screen
 * readers use a list box with the selected member as its only rendered option.
 */
export function MemberGrid({ members, missing, selected, onSelect }: MemberGridProps) {
  const id = useId()
  const theme = useTheme()
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const squares = members.length + missing
  const layout = useMemo(() => layoutGrid(squares, width), [squares, width])
  const { states, counts } = useMemberStates(members, missing)
  const index = Math.max(
    0,
    members.findIndex(({ clusterID }) => clusterID === selected),
  )
  const current = members[index]
  useEffect(() => {
    if (frame.current === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  const choose = (next: number | null): void => {
    const member = next === null ? undefined : members[next]
    if (member !== undefined) onSelect(member.clusterID)
  }
  const move = (event: KeyboardEvent): void => {
    const next = indexAfterKey(layout, index, event.key)
    if (next === null) return
    event.preventDefault()
    choose(selected === null ? 0 : next)
  }
  const pointed = ({ nativeEvent }: MouseEvent) =>
    indexAt(layout, nativeEvent.offsetX, nativeEvent.offsetY)
  const place = (at: number) => ({
    left: (at % layout.columns) * layout.pitch,
    top: Math.floor(at / layout.columns) * layout.pitch,
    width: layout.pitch - layout.gap,
    height: layout.pitch - layout.gap,
  })
  const [hovered, setHovered] = useState<number | null>(null)
  const shown = hovered === null ? undefined : members[hovered]
  return (
    <div>
      <p className={css['legend']} aria-live="polite">
        <span className={css['summary']}>{describeCounts(counts)}</span>
        {MEMBER_STATES.map((state) => (
          <span key={state} className={css['entry']} aria-hidden="true">
            <span className={css['swatch']} data-state={state} />
            {STATE_LABELS[state]} {counts[state].toLocaleString()}
          </span>
        ))}
      </p>
      <div
        ref={frame}
        className={css['frame']}
        role="listbox"
        tabIndex={0}
        aria-label="Members"
        aria-activedescendant={current === undefined ? undefined : `${id}-current`}
        onKeyDown={move}
        onClick={(event) => choose(pointed(event))}
        onMouseMove={(event) => setHovered(pointed(event))}
        onMouseLeave={() => setHovered(null)}
      >
        <MemberCanvas key={theme} states={states} layout={layout} />
        {current !== undefined && (
          <div
            id={`${id}-current`}
            className={css['current']}
            data-selected={selected === current.clusterID}
            role="option"
            tabIndex={-1}
            aria-selected={selected === current.clusterID}
            aria-posinset={index + 1}
            aria-setsize={members.length}
            aria-label={labelOf(current)}
            style={place(index)}
          />
        )}
        {shown !== undefined && hovered !== null && (
          <div className={css['tip']} style={tipPlace(place(hovered), width)} aria-hidden="true">
            {labelOf(shown)}
          </div>
        )}
      </div>
    </div>
  )
}

/** The states of the squares: the members, then those that do not exist yet. */
function useMemberStates(members: readonly FleetMember[], missing: number) {
  return useMemo(() => {
    const pending = Array.from({ length: missing }, () => 'pending' as const)
    const states = [...members.map(memberState), ...pending]
    return { states, counts: countStates(states) }
  }, [members, missing])
}

function labelOf(member: FleetMember): string {
  const holder = member.claim === undefined ? '' : ` by ${member.claim.holder}`
  return `${member.clusterID}, ${STATE_LABELS[memberState(member)].toLowerCase()}${holder}`
}

const TIP_WIDTH = 220

function tipPlace(
  { left, top, height }: { left: number; top: number; height: number },
  width: number,
) {
  return { left: Math.max(0, Math.min(left, width - TIP_WIDTH)), top: top + height + 6 }
}

interface MemberCanvasProps {
  readonly states: Parameters<typeof drawMembers>[1]
  readonly layout: GridLayout
}

function MemberCanvas({ states, layout }: MemberCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = layout.columns * layout.pitch
  const height = layout.rows * layout.pitch
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (element === null || context === null || context === undefined) return
    const ratio = window.devicePixelRatio
    element.width = width * ratio
    element.height = height * ratio
    context.scale(ratio, ratio)
    drawMembers(context, states, { ...layout, colors: colorsOf(element) })
  }, [states, layout, width, height])
  return (
    <canvas ref={canvas} className={css['canvas']} style={{ width, height }} aria-hidden="true" />
  )
}

function colorsOf(element: HTMLElement): GridColors {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    failed: read('--bad-mark'),
    pending: read('--warn-mark'),
    claimed: read('--info-mark'),
    available: read('--good-mark'),
    mark: read('--surface'),
  }
}
