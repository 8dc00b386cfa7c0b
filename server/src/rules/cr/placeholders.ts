import { memo } from '../../base/memo.ts';
import type { Pieces } from '../../base/pieces.ts';
import {
  isList,
  isMap,
  isString,
  isUnknown,
  type Path,
  Unknown,
  unknownMark,
  type Value,
  type ValueMap,
  valueAt,
} from '../../base/value.ts';
import type { CrFacts } from '../../kubernetes/cr/findings.ts';
import { addedBySops, type Manifest } from '../../workspace/manifest.ts';
import type { Variables } from '../../workspace/variables.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import type { BuiltinFacts } from '../builtin/builtin.ts';
import type { ToldFacts } from '../builtin/validation.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

/**
 * What envsubst, Flux and clusterctl fill in: `${NAME}`, also with a default behind the name; not `$${NAME}`. Garden, Terraform and
 * Maven take paths and calls as well: `${var.replicas}`, `${ports[0].port}`, `${jsonEncode(ports)}`; Backstage `${{ values.name }}`.
 */
const placeholder = /(?<!\$)\$\{(?:\s*[A-Za-z_]\w*\s*[:=\-/#%^,@+?}.[(|&]|\{[^{}]*\}\})/;

/** What chainsaw works out: all of a text, in parentheses, with a variable or a function, as `($namespace)` and `(env('A'))`. */
function isBinding(text: string): boolean {
  return text.startsWith('(') && text.endsWith(')') && /\$[A-Za-z_]|^\([a-z_]{1,40}\(/.test(text);
}

function isFilledIn(text: string): boolean {
  return placeholder.test(text) || isBinding(text) || text.includes(unknownMark);
}

/** Templates also fill in what is in braces. In names and labels nothing else has any; other texts may be meant so. */
function isFilledInMetadata(text: string): boolean {
  return isFilledIn(text) || (text.includes('{{') && text.includes('}}'));
}

/** What holds names and labels wherever it is, such as in the template of a pod. */
const ofLabels: ReadonlySet<string> = new Set(['metadata', 'selector', 'matchLabels']);

type PlaceholderFacts = { 'cr/placeholder': undefined };

/** Asked of each object and problem of a document. */
const mayBeFilledIn = memo(
  ({ text }: YamlDocument): boolean =>
    text.includes('$') || text.includes('{{') || /\([a-z_]{1,40}\(/.test(text) || text.includes(unknownMark),
);

/** An object as far as it is known: what is filled in later may be anything. The same object where it has nothing such. */
export function asFarAsKnown(manifest: Manifest): ValueMap {
  const { document, variables } = manifest;
  const value = isBySops(manifest) ? known(manifest.value, sops) : manifest.value;
  const first = mayBeFilledIn(document) ? knownToTools(value) : value;
  return variables && document.text.includes('$(') ? knownToKustomize(first, variables) : first;
}

/** Whether SOPS has encrypted texts of an object, which it then vouches for. */
export function isBySops(manifest: Manifest): boolean {
  const { document } = manifest;
  return document.text.includes('ENC[') && isString(valueAt(addedBySops(manifest) ?? null, ['mac']));
}

/** What a tool takes for a variable, and whether it also looks at the keys of maps. */
interface Tool {
  fillsIn(text: string): boolean;
  readonly keys: boolean;
  /** What is known of a value that is sure to be a text. */
  piecesOf(text: string, isItem: boolean): Pieces | undefined;
}

const anyTool: Tool = { fillsIn: isFilledIn, keys: true, piecesOf: plainPieces };
const inMetadata: Tool = { ...anyTool, fillsIn: isFilledInMetadata };

const otherThanTexts = ['true', 'false', 'null', 'yes', 'no', 'on', 'off'];

/**
 * The text is read anew once the variable is filled in, and quotes may be gone by then: only a word keeps it a text. An item
 * of a list may become a map.
 */
function plainPieces(text: string, isItem: boolean): Pieces | undefined {
  const [start = ''] = /^[A-Za-z][\w./-]*(?=\$\{|\ue000)/.exec(text) ?? [];
  const mayBeOther = otherThanTexts.some((word) => word.startsWith(start.toLowerCase()));
  return isItem || mayBeOther ? undefined : [start, ''];
}

/** What SOPS has encrypted may have been of any type. */
const sops: Tool = { fillsIn: isEncryptedText, keys: false, piecesOf: () => undefined };

export function isEncryptedText(text: string): boolean {
  return text.startsWith('ENC[');
}

const kustomize = memo(({ names }: Variables): Tool => {
  return {
    fillsIn: (text) => [...text.matchAll(/\$\(([^$()]+)\)/g)].some(([, name]) => names.has(name!)),
    keys: false,
    // Alone, a variable is replaced with a value of any type. `$$` becomes `$` on the way.
    piecesOf: (text) => (/^\$\([^$()]+\)$/.test(text) ? undefined : text.split(/\$(?:\([^$()]+\)|\$)?/)),
  };
});

const knownToTools = memo((object: ValueMap): ValueMap => {
  const metadata = object.get('metadata');
  const found = isMap(metadata) ? partKnown(metadata, inMetadata) : metadata;
  return known(found === metadata ? object : new Map(object).set('metadata', found!), anyTool);
});

/** What kro works out is of any type, be it all of a text or a part. */
const kro: Tool = { fillsIn: (text) => text.includes('${'), keys: true, piecesOf: () => undefined };

/** A definition of kro as far as it is known before there is an instance. */
export const knownToKro = (rgd: ValueMap): ValueMap => known(rgd, kro);

/** Where kustomize is told of no other fields, it looks at labels and annotations of kinds that it does not know. */
const knownToKustomize = memo((object: ValueMap, variables: Variables): ValueMap => {
  const tool = kustomize(variables);
  if (variables.everywhere) return known(object, tool);
  const metadata = object.get('metadata');
  if (!isMap(metadata)) return object;
  const parts = new Map(metadata);
  for (const key of ['labels', 'annotations']) {
    const part = metadata.get(key);
    if (isMap(part)) parts.set(key, known(part, tool));
  }
  return [...parts].some(([key, part]) => part !== metadata.get(key)) ? new Map(object).set('metadata', parts) : object;
});

const known = memo((object: ValueMap, tool: Tool): ValueMap => {
  const found = partKnown(object, tool);
  // With such a key of its own nothing of it can be judged but as it is written.
  return isMap(found) ? found : object;
});

/** What a key leaves as it was stays the same object. */
const partKnown = memo((part: ValueMap | readonly Value[], tool: Tool): Value => {
  if (isList(part)) {
    const items = part.map((item) => valueKnown(item, tool, true));
    return items.some((item, i) => item !== part[i]) ? items : part;
  }
  const map = part as ValueMap;
  const odd = tool.keys ? [...map.keys()].find((key) => tool.fillsIn(key)) : undefined;
  if (odd !== undefined) return new Unknown(odd);
  const entries = [...map].map(([key, item]): [string, Value] => {
    const inside = tool === anyTool && ofLabels.has(key) ? inMetadata : tool;
    return [key, valueKnown(item, inside, false)];
  });
  return entries.some(([key, item]) => item !== map.get(key)) ? new Map(entries) : map;
});

function valueKnown(value: Value, tool: Tool, isItem: boolean): Value {
  if (isString(value)) return tool.fillsIn(value) ? new Unknown(value, tool.piecesOf(value, isItem)) : value;
  return isMap(value) || isList(value) ? partKnown(value, tool) : value;
}

/** The field is not known, whatever its value is. */
const aboutTheField: keyof CrFacts = 'cr/unknown-field';

/** What is said of a text of which pieces are known holds whatever is between them. */
const aboutPieces: ReadonlySet<string> = new Set<keyof (CrFacts & BuiltinFacts)>([
  'builtin/decode',
  'cr/type',
  'cr/enum',
  'cr/max-length',
  'cr/pattern',
  'cr/rule',
]);

/** What is said of how a text is written, in which nothing has such a mark but what is filled in. */
const aboutForm: ReadonlySet<string> = new Set<keyof (CrFacts & BuiltinFacts & ToldFacts)>([
  'builtin/name',
  'cr/format',
]);

function isMarkedForm(manifest: Manifest, { code, path }: Problem): boolean {
  // Where a number or base64 belongs, `$(NAME)` is a mistake: Kubernetes expands it in commands and environments alone.
  const isDecoded = code === ('builtin/decode' satisfies keyof BuiltinFacts);
  if (!isDecoded && !aboutForm.has(code)) return false;
  const value = valueAt(manifest.value, path.slice(manifest.at.length));
  if (!isString(value)) return false;
  return (!isDecoded && value.includes('$(')) || (value.includes('{{') && value.includes('}}'));
}

function isKnownInPart(manifest: Manifest, path: Path): boolean {
  const value = valueAt(asFarAsKnown(manifest), path.slice(manifest.at.length));
  return isUnknown(value) && value.pieces !== undefined;
}

/**
 * Findings about values that something else fills in before the API server sees them become one hint each: those in what
 * the server says of the object as it is written, and those that the known parts give nevertheless, such as of names.
 */
export function withoutPlaceholders<P extends Problem>(
  manifest: Manifest,
  problems: readonly P[],
  asWritten: readonly P[] = [],
): (P | ProblemOf<PlaceholderFacts>)[] {
  const isSure = ({ code, path }: P) =>
    code === aboutTheField || (aboutPieces.has(code) && isKnownInPart(manifest, path));
  const isOpen = (problem: P) =>
    problem.code !== aboutTheField &&
    (placeholderAt(manifest, problem.path) !== undefined || isMarkedForm(manifest, problem));
  const sure = problems.filter((problem) => isSure(problem) || !isOpen(problem));
  const known = new Set(sure.map(({ path }) => JSON.stringify(path)));
  const open = [
    ...problems.filter((problem) => !isSure(problem) && isOpen(problem)),
    ...asWritten.filter(isOpen),
  ].filter(({ path }) => !known.has(JSON.stringify(path)));
  const hints = new Map(
    open.map(({ path }) => {
      const at = placeholderAt(manifest, path) ?? path.slice(manifest.at.length);
      return [JSON.stringify(at), hintAt(manifest, at)] as const;
    }),
  );
  return [...sure, ...hints.values()];
}

function hintAt(manifest: Manifest, path: Path): ProblemOf<PlaceholderFacts> {
  const text = placeholderText(valueAt(manifest.value, path));
  const message = `\`${text}\` is filled in by another tool, so nobody can tell yet whether the API server will accept it.`;
  return problemAt(manifest, { code: 'cr/placeholder' }, message, path, 'value');
}

/** The place of a value that is filled in, at a path of the document or around it. */
function placeholderAt(manifest: Manifest, path: Path): Path | undefined {
  let value: Value = asFarAsKnown(manifest);
  const steps = path.slice(manifest.at.length);
  for (const [i, step] of steps.entries()) {
    const next: Value | undefined = valueAt(value, [step]);
    if (next === undefined) return undefined;
    if (isUnknown(next)) return steps.slice(0, i + 1);
    value = next;
  }
  return undefined;
}

function placeholderText(value: Value | undefined): string {
  if (isString(value)) return value;
  return isMap(value) ? ([...value.keys()].find(isFilledInMetadata) ?? '') : '';
}

export const placeholderRule = family<PlaceholderFacts>()({
  'cr/placeholder': {
    severity: 'hint',
    title: 'A value that is filled in before the API server sees it',
    explanation: `The value contains a variable such as \`\${NAME}\`, which envsubst, Flux or clusterctl replace, \`$(NAME)\`
of a kustomization's \`vars\`, or \`($namespace)\` of chainsaw, or a template in the metadata, such as \`{{ .Release.Name }}\`, and would be rejected as it is now. Nobody can tell here what it will become, so it is not judged; everything around it is.`,
    bad: `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: \${NAME}
`,
    good: `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: a
`,
  },
});
