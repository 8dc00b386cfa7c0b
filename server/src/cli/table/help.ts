import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { commands } from '../commands/all.ts';
import { type Command, usageOf } from './command.ts';
import { type Option, typed } from './option.ts';
import { common } from './shared.ts';

const width = 120;

/** The help, with the versions that `--kubernetes` takes. */
export function usageText(program: string, versions: readonly KubernetesVersion[]): string {
  const rows = commands.map((command) => `  ${usageOf(command)}\n      ${command.about}\n`);
  return `kube-crd ${program}: checks CRDs and custom resources as the Kubernetes API server would

${rows.join('')}
kube-crd help COMMAND says more, kube-crd --version which version this is. Known Kubernetes versions: ${versions.map(({ name }) => name).join(', ')}.
`;
}

/** What `--help` says of a command. */
export function commandHelp(command: Command): string {
  const { explains, options, exits, examples } = command;
  const rows = [...Object.entries(options), ...(command.isLenient ? [] : Object.entries<Option>(common))];
  const paragraphs = [
    usageOf(command),
    wrapped(explains, width, 0),
    optionRows(rows),
    ...(exits === undefined ? [] : [wrapped(exits, width, 0)]),
    ...(examples.length === 0 ? [] : [examples.map((example) => `  ${example}`).join('\n')]),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

function optionRows(options: readonly (readonly [string, Option])[]): string {
  const labels = options.map(([key, option]) => `  ${label(key, option)}`);
  const column = Math.max(...labels.map(({ length }) => length)) + 2;
  return options
    .map(([, { about }], i) => {
      const head = labels[i]!.padEnd(column);
      return wrapped(`${head}${about}`, width, column);
    })
    .join('\n');
}

/** An option with what it takes. */
export function label(key: string, { short, takes }: Option): string {
  return `${short === undefined ? '' : `-${short}, `}${typed(key)}${takes === undefined ? '' : ` ${takes}`}`;
}

/** Lines of at most so many characters; all but the first of a paragraph are indented. */
function wrapped(text: string, most: number, indent: number): string {
  return text
    .split('\n')
    .map((paragraph) => wrappedLine(paragraph, most, indent))
    .join('\n');
}

function wrappedLine(text: string, most: number, indent: number): string {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const cut = rest.lastIndexOf(' ', most);
    if (cut <= indent) break;
    lines.push(rest.slice(0, cut));
    rest = ' '.repeat(indent) + rest.slice(cut + 1);
  }
  return [...lines, rest].join('\n');
}
