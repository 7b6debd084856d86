import css from './command-line.module.css'
import { CopyButton } from './copy-button.tsx'

/** A command to run in a shell, with a button that copies it. */
export function CommandLine({ command }: { readonly command: string }) {
  return (
    <div className={css['command']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long commands scroll */}
      <code tabIndex={0}>{command}</code>
      <CopyButton text={command} label="Copy the command" />
    </div>
  )
}
