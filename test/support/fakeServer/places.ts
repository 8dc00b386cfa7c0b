import type { Resource } from './discovery.ts';
import { type JsonMap, mapAt, textAt } from './json.ts';

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

export function selected(query: URLSearchParams, object: JsonMap): boolean {
  const terms = (of: string) =>
    (query.get(of) ?? '')
      .split(',')
      .filter(Boolean)
      .map((term) => term.split(/==?/));
  const metadata = mapAt(object, 'metadata');
  const byField = terms('fieldSelector').every(([path, wanted]) => textAt(object, ...path!.split('.')) === wanted);
  return byField && terms('labelSelector').every(([label, wanted]) => textAt(metadata, 'labels', label!) === wanted);
}
