import { memo } from '../../base/memo.ts';
import {
  isList,
  isMap,
  isString,
  isUnknown,
  type Path,
  Unknown,
  type Value,
  type ValueMap,
  valueAt,
} from '../../base/value.ts';
import type { CrFacts } from '../../kubernetes/cr/findings.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

/** What envsubst, Flux and clusterctl fill in: `${NAME}`, also with a default behind the name; not `$${NAME}`. */
const placeholder = /(?<!\$)\$\{\s*[A-Za-z_]\w*\s*(?:[:=\-/#%^,@+?}])/;

/** What chainsaw works out: all of a text, in parentheses, that names one of its variables, such as `($namespace)`. */
function isBinding(text: string): boolean {
  return text.startsWith('(') && text.endsWith(')') && /\$[A-Za-z_]/.test(text);
}

function isFilledIn(text: string): boolean {
  return placeholder.test(text) || isBinding(text);
}

/** Templates also fill in what is in braces. In names and labels nothing else has any; other texts may be meant so. */
function isFilledInMetadata(text: string): boolean {
  return isFilledIn(text) || (text.includes('{{') && text.includes('}}'));
}

type PlaceholderFacts = { 'cr/placeholder': undefined };

/** An object as far as it is known: what is filled in later may be anything. The same object where it has nothing such. */
export function asFarAsKnown({ document, value }: Manifest): ValueMap {
  return document.text.includes('$') || document.text.includes('{{') ? known(value) : value;
}

const known = memo((object: ValueMap): ValueMap => {
  const metadata = object.get('metadata');
  const inMetadata = isMap(metadata) ? metadataKnown(metadata) : metadata;
  const found = partKnown(inMetadata === metadata ? object : new Map(object).set('metadata', inMetadata!));
  // With such a key of its own nothing of it can be judged but as it is written.
  return isMap(found) ? found : object;
});

type PartKnown = (part: ValueMap | readonly Value[]) => Value;

const partKnown: PartKnown = memo((part: ValueMap | readonly Value[]) => partFor(part, isFilledIn, partKnown));

const metadataKnown: PartKnown = memo((part: ValueMap | readonly Value[]) => {
  return partFor(part, isFilledInMetadata, metadataKnown);
});

/** What a key leaves as it was stays the same object. */
function partFor(part: ValueMap | readonly Value[], isOpen: (text: string) => boolean, inner: PartKnown): Value {
  const valueKnown = (value: Value): Value => {
    if (isString(value)) return isOpen(value) ? new Unknown(value) : value;
    return isMap(value) || isList(value) ? inner(value) : value;
  };
  if (isList(part)) {
    const items = part.map(valueKnown);
    return items.some((item, i) => item !== part[i]) ? items : part;
  }
  const map = part as ValueMap;
  const odd = [...map.keys()].find(isOpen);
  if (odd !== undefined) return new Unknown(odd);
  const entries = [...map].map(([key, item]): [string, Value] => [key, valueKnown(item)]);
  return entries.some(([key, item]) => item !== map.get(key)) ? new Map(entries) : map;
}

/** The field is not known, whatever its value is. */
const aboutTheField: keyof CrFacts = 'cr/unknown-field';

/**
 * Findings about values that something else fills in before the API server sees them become one hint each: those in what
 * the server says of the object as it is written, and those that the known parts give nevertheless, such as of names.
 */
export function withoutPlaceholders<P extends Problem>(
  manifest: Manifest,
  problems: readonly P[],
  asWritten: readonly P[] = [],
): (P | ProblemOf<PlaceholderFacts>)[] {
  const isOpen = (problem: P) => problem.code !== aboutTheField && placeholderAt(manifest, problem.path) !== undefined;
  const open = [...problems, ...asWritten].filter(isOpen);
  const hints = new Map(
    open.map(({ path }) => {
      const at = placeholderAt(manifest, path)!;
      return [JSON.stringify(at), hintAt(manifest, at)] as const;
    }),
  );
  return [...problems.filter((problem) => !isOpen(problem)), ...hints.values()];
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
    explanation: `The value contains a variable such as \`\${NAME}\`, which envsubst, Flux or clusterctl replace, or is one of
chainsaw, such as \`($namespace)\`, or a template in the metadata, such as \`{{ .Release.Name }}\`, and would be rejected as it is now. Nobody can tell here what it will become, so it is not judged; everything around it is.`,
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
