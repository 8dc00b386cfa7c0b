import type { ArgumentType, MarkerArgument, MarkerDefinition } from '../../controllergen/markers/model.ts';
import { markerAt } from '../../controllergen/markers/place.ts';
import type { GoFile } from '../../controllergen/syntax/model.ts';
import type { Hover } from '../at/hover.ts';
import { type Markdown, own } from '../words/markdown.ts';

const site = 'https://book.kubebuilder.io/reference/markers';

/** The pages of the Kubebuilder book, by what their markers begin with; the first that fits. */
const pages: readonly (readonly [start: RegExp, page: string])[] = [
  [
    /^kubebuilder:validation:|^(?:required|optional|nullable|default)$|^kubebuilder:(?:default|example|title)$/,
    'crd-validation',
  ],
  [/(?:listType|listMapKey|mapType|structType)$|^kubebuilder:pruning:/, 'crd-processing'],
  [/^k8s:deepcopy-gen|^kubebuilder:object:/, 'object'],
  [/^k8s:/, 'crd-validation'],
  [/^kubebuilder:rbac/, 'rbac'],
  [/^kubebuilder:webhook/, 'webhook'],
  [/./, 'crd'],
];

/** What the marker under the cursor, or its argument, does. */
export function hoverMarker(file: GoFile, offset: number): Hover | undefined {
  const marker = markerAt(file, offset)?.marker;
  if (!marker?.definition) return undefined;
  const { definition, nameRange } = marker;
  if (offset <= nameRange.end) {
    return { markdown: explainMarker(definition), range: { start: nameRange.start - 1, end: nameRange.end } };
  }
  const written = marker.arguments.find(({ nameRange: of }) => of && of.start <= offset && offset <= of.end);
  const argument = written && definition.arguments.find(({ name }) => name === written.name);
  if (!argument || !written?.nameRange) return undefined;
  return { markdown: explainArgument(argument), range: written.nameRange };
}

/** Markdown about a marker. */
export function explainMarker(definition: MarkerDefinition): Markdown {
  const { name, doc, becomes, since, instead, targets, repeats } = definition;
  const facts = [
    `For ${targets.map((target) => `${target}s`).join(' and ')}${repeats ? ', as often as needed' : ''}.`,
    ...(becomes === 'nothing' ? [] : [`Becomes ${becomes}.`]),
    ...(since === undefined ? [] : [`Since controller-gen ${since}.`]),
  ];
  const parts = [
    `\`+${name}\``,
    doc,
    ...(instead === undefined ? [] : [`Write \`+${instead}\` instead.`]),
    ...(definition.arguments.length === 0 ? [] : [definition.arguments.map(line).join('\n')]),
    facts.join(' '),
    `[Documentation](${site}/${pages.find(([start]) => start.test(name))![1]})`,
  ];
  return own(parts.join('\n\n'));
}

function line(argument: MarkerArgument): string {
  const name = argument.name === '' ? '' : `\`${argument.name}\`${argument.optional ? ' (optional)' : ''}: `;
  return `- ${name}${argument.doc}`;
}

export function explainArgument(argument: MarkerArgument): Markdown {
  const values =
    argument.values && !/`/.test(argument.doc) ? ` ${argument.values.map((one) => `\`${one}\``).join(', ')}` : '';
  const name = argument.name === '' ? '' : `\`${argument.name}\` `;
  return own(`${name}${typeText(argument.type)}${argument.optional ? ', optional' : ''}\n\n${argument.doc}${values}`);
}

const typeTexts = {
  string: 'text',
  int: 'integer',
  number: 'number',
  bool: '`true` or `false`',
  any: 'any value',
  raw: 'text',
};

function typeText(type: ArgumentType): string {
  if (type.kind === 'list') return `list of ${typeText(type.of)}`;
  return type.kind === 'map' ? `map of ${typeText(type.of)}` : typeTexts[type.kind];
}
