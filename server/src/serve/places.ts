import type { Resource } from './discovery.ts';
import { eventsGroup } from './events.ts';
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
