import type { SHELLS } from './shells.ts'

/**
 * Shells split words at `=` and `:`, which the script joins again. `__complete` prints a candidate per
 * line, with a tab and its description.
 */
const BASH = `# Completion of flotilla in bash. Add to ~/.bashrc: source <(flotilla completion bash)
_flotilla() {
  local word joined=() glue='' prefix candidate
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $word == [=:]* && \${#joined[@]} -gt 0 ]]; then
      joined[-1]+=$word; glue=1
    elif [[ -n $glue ]]; then
      joined[-1]+=$word; glue=''
    else
      joined+=("$word")
    fi
  done
  local current=\${joined[-1]-}
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    [[ $candidate == __files__ ]] && { compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return; }
    [[ $candidate == *[=,/] ]] && compopt -o nospace
    if [[ $current == *[=:]* ]]; then
      prefix=\${current%"\${current##*[=:]}"}
      candidate=\${candidate#"$prefix"}
    fi
    COMPREPLY+=("$candidate")
  done < <(flotilla __complete -- "\${joined[@]}" 2>/dev/null)
}
complete -F _flotilla flotilla
`

const ZSH = `#compdef flotilla
# Completion of flotilla in zsh. Add to ~/.zshrc: source <(flotilla completion zsh)
_flotilla() {
  local line candidates=() partial=()
  while IFS= read -r line; do
    local value=\${line%%$'\\t'*} text=\${line#*$'\\t'}
    [[ $value == __files__ ]] && { _files; return; }
    [[ $value == *[=,/] ]] && { partial+=("\${value//:/\\\\:}:$text"); continue; }
    candidates+=("\${value//:/\\\\:}:$text")
  done < <(flotilla __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#partial )) && _describe 'flotilla' partial -S ''
  (( $#candidates )) && _describe 'flotilla' candidates
}
if [[ $funcstack[1] == _flotilla ]]; then _flotilla "$@"; else compdef _flotilla flotilla; fi
`

const FISH = `# Completion of flotilla in fish. Add to ~/.config/fish/config.fish: flotilla completion fish | source
function __flotilla_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (flotilla __complete -- $words[2..-1] 2>/dev/null)
    if string match -q '__files__*' -- $line
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c flotilla -f -a '(__flotilla_complete)'
`

/** The completion script of a shell. */
export function completionScript(shell: (typeof SHELLS)[number]): string {
  return { bash: BASH, zsh: ZSH, fish: FISH }[shell]
}
