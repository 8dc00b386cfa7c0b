import type { Completes } from '../table/option.ts';
import { type OfferedCommand, type OfferedOption, quoted } from './shape.ts';

export function zshCompletion(commands: readonly OfferedCommand[]): string {
  return `#compdef kube-crd
# zsh completion for kube-crd: kube-crd completion zsh > "\${fpath[1]}/_kube-crd"
_kube_crd() {
  local -a commands
  commands=(
${commands.map(({ name, about }) => `    ${quoted(`${name}:${about}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(commandRows).join('\n')}
  esac
}
if [ "$funcstack[1]" = _kube-crd ]; then
  _kube_crd "$@"
else
  compdef _kube_crd kube-crd
fi
`;
}

function commandRows({ name, options, completes }: OfferedCommand): string {
  const rows = [...options.flatMap(optionRows), quoted(`*:argument:${action(completes)}`)];
  return `    ${name}) _arguments \\\n${rows.map((row) => `      ${row}`).join(' \\\n')} ;;`;
}

function optionRows({ names, about, takes, completes }: OfferedOption): string[] {
  const value = takes === undefined ? '' : `:${plain(takes)}:${action(completes)}`;
  return names.map((name) => quoted(`*${name}[${plain(about)}]${value}`));
}

function action(completes: Completes | undefined): string {
  if (completes === 'file') return '_files';
  if (completes === 'folder') return '_files -/';
  return completes && completes.length > 0 ? `(${completes.join(' ')})` : ' ';
}

/** Without what has a meaning to `_arguments`. */
function plain(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&');
}
