import type { Completes } from '../table/option.ts';
import { type OfferedCommand, type OfferedOption, quoted } from './shape.ts';

export function fishCompletion(commands: readonly OfferedCommand[]): string {
  const rows = commands.flatMap(({ name, about, options, completes }) => {
    const within = `complete -c kube-crd -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c kube-crd -n __fish_use_subcommand -a ${name} -d ${fishQuoted(about)}`,
      ...argumentRow(within, completes),
      ...options.map((option) => optionRow(within, option)),
    ];
  });
  return `# fish completion for kube-crd: kube-crd completion fish | source
complete -c kube-crd -f
${rows.join('\n')}
`;
}

function argumentRow(within: string, completes: Completes): string[] {
  if (typeof completes === 'string') return [`${within} -F`];
  return completes.length === 0 ? [] : [`${within} -a ${fishQuoted(completes.join(' '))}`];
}

function optionRow(within: string, { names, about, takes, completes }: OfferedOption): string {
  const typed = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');
  return `${within} ${typed}${takes === undefined ? '' : value(completes)} -d ${fishQuoted(about)}`;
}

function value(completes: Completes | undefined): string {
  if (completes === 'file') return ' -r -F';
  if (completes === 'folder') return " -x -a '(__fish_complete_directories)'";
  return completes === undefined ? ' -x' : ` -x -a ${fishQuoted(completes.join(' '))}`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
