// Texts of documents that want to be more than text in the cards and pages of those who read them: links, pictures, HTML.

import { hover } from '../../../server/src/features/at/hover.ts';
import { complete } from '../../../server/src/features/complete/complete.ts';
import { inlayHints } from '../../../server/src/features/lenses/inlayHints.ts';
import { changedCrd, changesPage } from '../../../server/src/features/views/crdChanges.ts';
import { documentationOf, tablesOf, versionsPage } from '../../../server/src/features/views/kindPages.ts';
import {
  blocks,
  code,
  fenced,
  link,
  list,
  type Markdown,
  md,
  prose,
  table,
  text,
  words,
} from '../../../server/src/features/words/markdown.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Definition } from '../../../server/src/workspace/definitions.ts';
import { fileAt, type Snapshot } from '../../../server/src/workspace/snapshot.ts';
import { readers } from '../../support/markdownReaders.ts';
import type { Random } from '../../support/random.ts';
import { snapshotOf } from '../../support/workspace.ts';
import type { Attack } from './part.ts';

/** What Markdown, HTML and addresses are made of, and what is near to it. */
const pieces: readonly string[] = [
  ...[
    '[',
    ']',
    '(',
    ')',
    '![',
    '](',
    ']:',
    ']: ',
    '[x]',
    '[r]: ',
    '[^1]',
    '<',
    '>',
    '</',
    '/>',
    '<!--',
    '-->',
    '<?',
    '<![CDATA[',
  ],
  ...[
    'a',
    'x',
    'b ',
    ' ',
    '  ',
    '    ',
    '\t',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    '\u2028',
    '\u00a0',
    '\u0000',
    '\u001b[2J',
    '\u202e',
  ],
  ...[
    '`',
    '``',
    '```',
    '~~~',
    '```\n',
    '\\',
    '\\\\',
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '$',
    '$$',
    '|',
    '|---|',
    '\n|---|---|\n',
  ],
  ...['# ', '> ', '- ', '+ ', '* ', '1. ', '2) ', '===', '---', '- [ ] ', ': ', '!'],
  ...[
    'command:a',
    '(command:a)',
    '<command:a>',
    'javascript:a',
    'https://e.com',
    'HTTP://e.com/a_b',
    '//e.com',
    'www.e.com',
  ],
  ...[
    'WWW.',
    'ftp://e.com',
    'mailto:',
    'a@e.com',
    'xmpp:a@e.com',
    'file:///a',
    'data:,a',
    'vscode://a',
    '@',
    ':',
    '/',
    '//',
    '.',
    'www',
  ],
  ...[
    '<b>',
    '<img src=x>',
    '<a href=command:a>',
    '<script>',
    '<div>',
    '<br>',
    '<pre>',
    '<svg/onload=a>',
    '<x-y>',
    '<A\nB>',
  ],
  ...['&#60;', '&lt;', '&lbrack;', '&#x5b;', '&colon;', '&', '{', '}', '{#a}', '"', "'", '=', '"t"', "'t'"],
  ...['e\u0301', '\u{1f600}', '\ufeff', '\u200b', '\ud800'],
];

const longest = 14;

export function hostileMarkdown(random: Random): string {
  return Array.from({ length: 1 + random.below(longest) }, () => random.pick(pieces)).join('');
}

/** All ways that a text takes into Markdown, in one. */
function everyWay(one: string, other: string): Markdown[] {
  return [
    blocks(md`# ${one}`, text(one), words(one), prose(one), code(one), fenced('', one), prose(other)),
    md`**${one}** · ${code(one)}: ${words(other)} (${code(other)})${text(one)}${words(one)}\n\n*${one}; ${other}*`,
    list([text(one), words(other), md`${code(one)}: ${words(one)}`, prose(one)]),
    table(
      [one, other],
      [
        [code(one), words(other)],
        [text(other), code(other)],
      ],
    ),
  ];
}

/** What is more than text in Markdown; what we put there ourselves is left out. */
export function moreThanText({ source }: Markdown, ours: (seen: string) => boolean = () => false): string[] {
  return Object.entries(readers).flatMap(([reader, read]) =>
    read(source)
      .filter((seen) => !ours(seen) && seen !== 'html <br>')
      .map((seen) => `${reader}: ${seen}`),
  );
}

const uri = 'file:///a.yaml';

/** A CRD and a resource of it that say a text wherever a document can. */
export function saying(one: string): { snapshot: Snapshot; places: readonly number[] } {
  const said = JSON.stringify(one.replace(/[\ud800-\udfff]/gu, '?'));
  const crd = (extra: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${said}}
spec:
  group: example.com
  scope: ${said}
  names: {kind: Gizmo, plural: ${said}, singular: ${said}, shortNames: [${said}], categories: [${said}]}
  versions:
    - name: v1
      served: true
      storage: true
      deprecated: true
      deprecationWarning: ${said}
      additionalPrinterColumns: [{name: ${said}, type: string, jsonPath: .spec.a, description: ${said}}]
      schema:
        openAPIV3Schema:
          type: object
          description: ${said}
          properties:
            spec:
              type: object
              description: ${said}
              properties:
                ${said}: {type: string, description: ${said}}
                a: {type: string, description: ${said}, default: ${said}, enum: [${said}], pattern: ${said}, format: ${said}${extra}}
                l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [${said}], items: {type: object, properties: {${said}: {type: string}}}}
              x-kubernetes-validations:
                - {rule: ${JSON.stringify(`self.a == ${said}`)}, message: ${said}}
    - {name: ${said}, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
`;
  const resource = `apiVersion: example.com/v1\nkind: Gizmo\nmetadata: {name: ${said}, namespace: ${said}}\nspec:\n  ${said}: ${said}\n  a: ${said}\n  \n`;
  const text = `${crd('')}---\n${resource}`;
  const files = [
    { uri, text },
    { uri: 'file:///old.yaml', text: crd(', maxLength: 3').replaceAll('a: {type: string', 'b: {type: string') },
  ];
  const starts = ['kind: Gizmo\nmetadata', '\n  a: ', 'description: ', 'self.a', 'default', '\n  \n'];
  return { snapshot: snapshotOf(files, { lints: 'on' }), places: starts.map((start) => text.lastIndexOf(start) + 3) };
}

/** All Markdown that features make of it. */
export function* shownOf({ snapshot, places }: ReturnType<typeof saying>): Generator<Markdown> {
  for (const at of places) {
    const card = hover(snapshot, uri, at);
    if (card) yield card.markdown;
    for (const { documentation } of complete(snapshot, uri, at).slice(0, 30)) if (documentation) yield documentation;
  }
  const file = fileAt(snapshot, uri)!;
  for (const { tooltip } of inlayHints(snapshot, uri, { start: 0, end: file.text.length })) yield tooltip;
  const resources = file.manifests.flatMap((manifest) => (manifest.role === 'resource' ? [{ file, manifest }] : []));
  const definitions = [...snapshot.definitions.values()].flat();
  for (const definition of definitions) yield* pagesOf(snapshot, definition, resources);
  const [now, old] = definitions.map(({ file: of, manifest }) => ({ file: of, manifest }));
  if (now && old) {
    const changed = changedCrd(old, now, resources, 'HEAD', newestVersion);
    yield changesPage([changed], changed.name, () => changed.name);
  }
}

function* pagesOf(snapshot: Snapshot, definition: Definition, resources: Parameters<typeof tablesOf>[2]) {
  yield documentationOf(definition, newestVersion);
  yield versionsPage(definition);
  yield tablesOf(snapshot, definition, resources, 0);
}

/** A text goes through all features once in so many. */
const throughFeatures = 50;

export const attackMarkdown: Attack = ({ cases, random, failed }) => {
  let pages = 0;
  for (let i = 0; i < cases; i++) {
    const [one, other] = [hostileMarkdown(random), hostileMarkdown(random)];
    for (const markdown of everyWay(one, other)) {
      const seen = moreThanText(markdown);
      if (seen.length > 0) failed(`${JSON.stringify(one)}, ${JSON.stringify(other)}: ${seen.join('; ')}`);
    }
    const linked = moreThanText(link(one, 'https://e.com/ours'), (seen) => seen === 'link href=https://e.com/ours');
    if (linked.length > 0) failed(`a link called ${JSON.stringify(one)}: ${linked.join('; ')}`);
    if (i % throughFeatures !== 0) continue;
    for (const markdown of shownOf(saying(one))) {
      pages++;
      const seen = moreThanText(markdown);
      if (seen.length > 0) failed(`${JSON.stringify(one)}: ${seen.join('; ')} in\n${markdown.source}`);
    }
  }
  return { texts: cases, cards: pages };
};
