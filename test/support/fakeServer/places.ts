import type { Resource } from './discovery.ts';
import { type JsonMap, listAt, mapAt, textAt } from './json.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly type: string;
  readonly accept: string;
}

/** Where a request leads. */
export interface Place {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

export function prefixOf({ resource, namespace }: Pick<Place, 'resource' | 'namespace'>): string {
  return `${resource.group}/${resource.plural}/${namespace === '' ? '' : `${namespace}/`}`;
}

export function keyOf({ resource, namespace, name }: Pick<Place, 'resource' | 'namespace' | 'name'>): string {
  return `${prefixOf({ resource, namespace })}${name}`;
}

/** Whether the selectors of a request choose an object. */
export function selected(query: URLSearchParams, object: JsonMap): boolean {
  const labels = mapAt(object, 'metadata', 'labels');
  const byField = termsOf(query.get('fieldSelector') ?? '').every((term) => {
    const [, path, operator, wanted] = /^(.*?)(!?==?)(.*)$/.exec(term) ?? [];
    return path === undefined || (textAt(object, ...path.split('.')) === wanted) !== operator!.startsWith('!');
  });
  return byField && termsOf(query.get('labelSelector') ?? '').every((term) => hasLabel(labels, term));
}

/** The terms of a selector, between commas that are in no parentheses. */
const termsOf = (selector: string) => selector.match(/(?:\([^)]*\)|[^,(])+/g) ?? [];

function hasLabel(labels: JsonMap, term: string): boolean {
  const [, name, not, values] = /^(\S+) (not)?in \((.*)\)$/.exec(term) ?? [];
  const within = (label: string) => values!.split(',').includes(textAt(labels, label)) && label in labels;
  if (name !== undefined) return within(name) !== (not === 'not');
  const [, label, operator, wanted] = /^(.*?)(!?==?)(.*)$/.exec(term) ?? [];
  if (label !== undefined) return (labels[label] === wanted) !== operator!.startsWith('!');
  return term.startsWith('!') ? !(term.slice(1) in labels) : term in labels;
}

/** The name of a field that objects cannot be chosen by; undefined where all of them serve. */
export function unselectable(query: URLSearchParams, { crd, version }: Resource): string | undefined {
  const of = listAt(crd, 'spec', 'versions').find((one) => textAt(one, 'name') === version);
  const more = listAt(of, 'selectableFields').map((field) => textAt(field, 'jsonPath').slice(1));
  const known = ['metadata.name', 'metadata.namespace', ...more];
  const paths = termsOf(query.get('fieldSelector') ?? '').map((term) => term.replace(/!?=.*$/, ''));
  return paths.find((path) => !known.includes(path));
}

/** A part of a list, and where the rest is asked for. */
export function pageOf(query: URLSearchParams, all: readonly JsonMap[]): { items: JsonMap[]; metadata: JsonMap } {
  const start = Number(query.get('continue') ?? 0);
  const end = start + (Number(query.get('limit') ?? 0) || all.length);
  const left = all.length - end;
  const selects = (query.get('labelSelector') ?? '') !== '' || (query.get('fieldSelector') ?? '') !== '';
  const metadata = { continue: String(end), ...(!selects && { remainingItemCount: left }) };
  return { items: all.slice(start, end), metadata: left > 0 ? metadata : {} };
}
