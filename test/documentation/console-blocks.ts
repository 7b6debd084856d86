/** A console block of a page: commands after `$ `, each with the lines that it prints. */
export interface ConsoleBlock {
  readonly script: string
  /** The printed lines of the page. `...` stands for omitted lines. */
  readonly printed: readonly string[]
}

/** The console blocks of a page or of a part of it. A command continues on lines with four spaces. */
export function consoleBlocksOf(page: string): readonly ConsoleBlock[] {
  return Array.from(page.matchAll(/^```console\n(.*?)^```$/gms), ([, block = '']) => {
    const commands: string[] = []
    const printed: string[] = []
    let isCommand = false
    for (const line of block.split('\n')) {
      isCommand = line.startsWith('$ ') || (isCommand && line.startsWith('    '))
      if (isCommand) commands.push(line.replace(/^\$ /, ''))
      else if (!['', '...'].includes(line.trim())) printed.push(line)
    }
    return { script: commands.join('\n'), printed }
  })
}
