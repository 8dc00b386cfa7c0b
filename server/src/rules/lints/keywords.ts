import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { knownFields } from '../crd/knownFields.ts';
import { unionFixes, unionsKeyword } from '../crd/unions.ts';
import { lastStep, removal, renames } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import { type Found, lintFamily } from './lint.ts';
import type { Linted } from './linted.ts';

type Kind = 'schema' | 'rule' | 'docs';

type KeywordFacts = { 'lint/keyword-dropped': { readonly kind: Kind } };

const schemaRoot: Path = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];

/** What each part of a schema may hold; asked of the CRDs' own schema once. */
const known: Record<Kind, ReadonlySet<string> | undefined> = { schema: undefined, rule: undefined, docs: undefined };
const examples: Readonly<Record<Kind, Path>> = {
  schema: schemaRoot,
  rule: [...schemaRoot, 'x-kubernetes-validations', 0],
  docs: [...schemaRoot, 'externalDocs'],
};

function knownIn(kind: Kind): ReadonlySet<string> {
  known[kind] ??= new Set(knownFields(examples[kind]));
  return known[kind];
}

interface Walk {
  readonly found: Found<KeywordFacts['lint/keyword-dropped']>[];
  /** Where the walk is: a list for each place would cost more than looking there. */
  path: (string | number)[];
}

/** `items`, `additionalProperties` and the like decode themselves, and what is unknown in there is dropped in silence. */
function lintKeywords(linted: Linted): Walk['found'] {
  const walk: Walk = { found: [], path: [] };
  const versions = valueAt(linted.manifest.value, ['spec', 'versions']);
  for (const i of isList(versions) ? versions.keys() : []) {
    walk.path = ['spec', 'versions', i, 'schema', 'openAPIV3Schema'];
    visit(walk, valueAt(linted.manifest.value, walk.path), false);
  }
  return walk.found;
}

/** Does something one step further down. */
function at(walk: Walk, step: string | number, what: () => void): void {
  walk.path.push(step);
  what();
  walk.path.pop();
}

const silent: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'additionalItems', 'dependencies']);
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);
const schemas: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'additionalItems', 'not']);
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

/** Parts without unknown keywords: at a keystroke most parts are those of the text before. */
const clean = { silent: new WeakSet<ValueMap>(), loud: new WeakSet<ValueMap>() };

function visit(walk: Walk, schema: Value | undefined, isSilent: boolean): void {
  const known = isSilent ? clean.silent : clean.loud;
  if (!isMap(schema) || known.has(schema)) return;
  const before = walk.found.length;
  visitKeywords(walk, schema, isSilent);
  if (walk.found.length === before) known.add(schema);
}

function visitKeywords(walk: Walk, schema: ValueMap, isSilent: boolean): void {
  if (isSilent) report(walk, schema, 'schema');
  for (const [keyword, value] of schema) {
    // Most keywords have a plain value.
    if (typeof value !== 'object' || value === null) continue;
    at(walk, keyword, () => below(walk, keyword, value, isSilent || silent.has(keyword)));
  }
}

function below(walk: Walk, keyword: string, value: Value, isSilent: boolean): void {
  if (maps.has(keyword) && isMap(value)) {
    for (const [name, schema] of value) at(walk, name, () => visit(walk, schema, isSilent));
  } else if ((lists.has(keyword) || keyword === 'items') && isList(value)) {
    for (const [i, schema] of value.entries()) at(walk, i, () => visit(walk, schema, isSilent));
  } else if (schemas.has(keyword)) visit(walk, value, isSilent);
  else if (isSilent && keyword === 'x-kubernetes-validations' && isList(value)) {
    for (const [i, rule] of value.entries()) if (isMap(rule)) at(walk, i, () => report(walk, rule, 'rule'));
  } else if (isSilent && keyword === 'externalDocs' && isMap(value)) report(walk, value, 'docs');
}

function report({ found, path }: Walk, map: ValueMap, kind: Kind): void {
  const names = knownIn(kind);
  for (const name of map.keys()) {
    if (names.has(name)) continue;
    const near = nearestNames(
      name,
      [...names].filter((one) => !map.has(one)),
    ).map((one) => `\`${one}\``);
    const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
    const message = `The API server silently drops \`${name}\`: it is not a keyword, and unknown ones are not reported below \`items\` and \`additionalProperties\`.${hint}`;
    found.push({ message, at: [...path, name], anchor: 'key', facts: { kind } });
  }
}

export const keywordLints = lintFamily<KeywordFacts>()({
  'lint/keyword-dropped': {
    severity: 'warning',
    title: 'An unknown keyword is dropped silently',
    explanation: `\`kubectl\` and the API server usually report unknown fields in a CRD, but not below \`items\`,
\`additionalProperties\` and \`dependencies\`. There, an unknown keyword is dropped without any warning, and the
constraint that it was meant to express is never checked.`,
    bad: `#- use: schema
names:
  type: array
  items:
    type: string
    maxlength: 5
`,
    good: `#- use: schema
names:
  type: array
  items:
    type: string
    maxLength: 5
`,
    fixes: (problem) => {
      const around = problem.path.slice(0, -1);
      const taken = valueAt(problem.manifest?.value, around.slice(problem.manifest?.at.length));
      const free = [...knownIn(problem.facts.kind)].filter((name) => !isMap(taken) || !taken.has(name));
      const unions = lastStep(problem) === unionsKeyword ? unionFixes(problem) : [];
      return [...unions, ...renames(problem, free), ...removal(false)(problem)];
    },
    restsOn: 'crd',
    check: lintKeywords,
  },
});
