import { type OfferedCommand, quoted, wordsOf } from './shape.ts';

/** Where nothing is offered, bash itself completes names of files. It splits words at equals signs. */
export function bashCompletion(commands: readonly OfferedCommand[]): string {
  return `# bash completion for kube-crd: source <(kube-crd completion bash)
_kube_crd() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} offered=
  COMPREPLY=()
  if [ "$current" = = ]; then
    current=
  elif [ "$before" = = ]; then
    before=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(' '))} -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${commands.flatMap(valueRows).join('\n')}
  esac
  case "\${COMP_WORDS[1]} $current" in
${commands.flatMap(wordRows).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _kube_crd kube-crd
`;
}

/** What goes behind an option. */
function valueRows({ name, options }: OfferedCommand): string[] {
  return options.flatMap(({ names, takes, completes }) => {
    if (takes === undefined) return [];
    const pattern = names.map((one) => quoted(`${name} ${one}`)).join('|');
    return [
      `    ${pattern}) COMPREPLY=($(compgen -W ${quoted(wordsOf(completes).join(' '))} -- "$current")); return ;;`,
    ];
  });
}

/** What begins as an option does, and what does not. */
function wordRows({ name, options, completes }: OfferedCommand): string[] {
  const names = options.flatMap((one) => one.names);
  return [
    `    ${quoted(`${name} -`)}*) offered=${quoted(names.join(' '))} ;;`,
    `    ${quoted(`${name} `)}*) offered=${quoted(wordsOf(completes).join(' '))} ;;`,
  ];
}
