import { useNavItems } from '../app/use-nav-items.ts'
import { Dialog } from '../design/overlays/dialog.tsx'
import css from './keyboard-help.module.css'
import { showOverlay } from './overlay-store.ts'

const GENERAL = [
  { keys: ['Ctrl', 'K'], text: 'Search across everything (⌘ K on a Mac)' },
  { keys: ['/'], text: 'Search on this page' },
  { keys: ['?'], text: 'Show this help' },
  { keys: ['Esc'], text: 'Close a dialog or a menu' },
] as const

const LISTS = [
  { keys: ['↑', '↓'], text: 'Move between rows, or through the history of a terminal' },
  { keys: ['←', '→'], text: 'Move between the members of a fleet' },
  { keys: ['Enter'], text: 'Open the row' },
] as const

const EDITING = [
  { keys: ['Ctrl', 'S'], text: 'Save the edit' },
  { keys: ['Ctrl', 'Space'], text: 'Complete a field' },
  { keys: ['Ctrl', 'C'], text: 'Stop the command of a terminal' },
] as const

/** The keys of the console. */
export default function KeyboardHelp() {
  const { main, resources, workloads } = useNavItems()
  const pages = [...main, ...resources, ...workloads].flatMap(({ key, label }) =>
    key === undefined ? [] : [{ keys: ['g', key], text: label }],
  )
  return (
    <Dialog open onClose={() => showOverlay(null)} title="Keyboard" wide>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on phones */}
      <div className={css['columns']} role="group" aria-label="Shortcuts" tabIndex={0}>
        <Keys title="Everywhere" rows={GENERAL} />
        <Keys title="Go to" rows={pages} />
        <Keys title="Lists and grids" rows={LISTS} />
        <Keys title="Editors and terminals" rows={EDITING} />
      </div>
    </Dialog>
  )
}

interface KeysProps {
  readonly title: string
  readonly rows: readonly { readonly keys: readonly string[]; readonly text: string }[]
}

function Keys({ title, rows }: KeysProps) {
  return (
    <section>
      <h3 className={css['title']}>{title}</h3>
      <dl className={css['rows']}>
        {rows.map(({ keys, text }) => (
          <div key={text} className={css['row']}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={css['key']}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
