import type { Resource } from './discovery.ts';
import { eventsGroup } from './events.ts';
import { type JsonMap, listAt, mapAt, textAt } from './json.ts';
import type { User } from './users.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly type: string;
  readonly accept: string;
  readonly user: User;
  /** The program that asks, as managers of fields are named after it. */
  readonly agent: string;
}

/** Where a request leads. */
export interface Place {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

export function prefixOf({ resource, namespace }: Pick<Place, 'resource' | 'namespace'>): string {
  return `${resource.group === eventsGroup ? '' : resource.group}/${resource.plural}/${namespace === '' ? '' : `${namespace}/`}`;
}

export function keyOf({ resource, namespace, name }: Pick<Place, 'resource' | 'namespace' | 'name'>): string {
  return `${prefixOf({ resource, namespace })}${name}`;
}

/** Whether the selectors of a request choose an object. */
export function selected(query: URLSearchParams, object: JsonMap): boolean {
  const labels = mapAt(object, 'metadata', 'labels');
  const byField = termsOf(query.get('fieldSelector') ?? '').every((term) => {
    const { name, isNot, wanted } = comparison(term) ?? {};
    return name === undefined || (textAt(object, ...name.split('.')) === wanted) !== isNot;
  });
  return byField && termsOf(query.get('labelSelector') ?? '').every((term) => hasLabel(labels, term));
}

/** `name=wanted`, `name==wanted` or `name!=wanted`; undefined for any other term. */
function comparison(term: string) {
  const at = term.indexOf('=');
  if (at < 0) return undefined;
  const isNot = term[at - 1] === '!';
  const wanted = term.slice(at + (term[at + 1] === '=' ? 2 : 1));
  return { name: term.slice(0, isNot ? at - 1 : at), isNot, wanted };
}

/** The terms of a selector, between commas that are in no parentheses. */
const termsOf = (selector: string) => selector.match(/(?:\([^)]*\)|[^,(])+/g) ?? [];

function hasLabel(labels: JsonMap, term: string): boolean {
  const [, name, not, values] = /^(\S+) (not)?in \((.*)\)$/.exec(term) ?? [];
  const within = (label: string) => values!.split(',').includes(textAt(labels, label)) && label in labels;
  if (name !== undefined) return within(name) !== (not === 'not');
  const compared = comparison(term);
  if (compared) return (labels[compared.name] === compared.wanted) !== compared.isNot;
  return term.startsWith('!') ? !(term.slice(1) in labels) : term in labels;
}

/** The name of a field that objects cannot be chosen by; undefined where all of them serve. */
export function unselectable(query: URLSearchParams, { crd, version }: Resource): string | undefined {
  const of = listAt(crd, 'spec', 'versions').find((one) => textAt(one, 'name') === version);
  const more = listAt(of, 'selectableFields').map((field) => textAt(field, 'jsonPath').slice(1));
  const known = ['metadata.name', 'metadata.namespace', ...more];
  const paths = termsOf(query.get('fieldSelector') ?? '').map((term) => comparison(term)?.name ?? term);
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
