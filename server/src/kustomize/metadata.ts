/** buildMetadata: where resources come from, as kustomize writes it into annotations. */
import { cleanPath } from '../gostd/path.ts';
import { goScalar } from '../yaml/goScalar.ts';
import { entrySetter, visitField } from './fieldSpec.ts';
import { computed } from './origin.ts';
import { originKey, type Resource, transformationsKey } from './resource.ts';
import { mapTag } from './tree/node.ts';

/** The path of what is being read, from the folder that is built. */
export interface Trail {
  readonly path: string;
}

export interface PluginId {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
}

export function joined(trail: Trail, path: string): string {
  return trail.path === '' ? (path === '' ? '' : cleanPath(path)) : cleanPath(`${trail.path}/${path}`);
}

function text(value: string, column: number): string {
  return goScalar(value, { column: Number.NEGATIVE_INFINITY, indent: column });
}

export function fileOrigin(path: string): string {
  return path === '' ? '{}\n' : `path: ${text(path, 2)}\n`;
}

export function pluginOrigin(configuredIn: string, { apiVersion, kind, name, namespace }: PluginId): string {
  const rows = [
    ...(configuredIn === '' ? [] : [`configuredIn: ${text(configuredIn, 2)}`]),
    'configuredBy:',
    ...Object.entries({ apiVersion, kind, name, namespace }).flatMap(([key, value]) =>
      value ? [`  ${key}: ${text(value, 4)}`] : [],
    ),
  ];
  return `${rows.join('\n')}\n`;
}

const annotations = { path: 'metadata/annotations', group: '', version: '', kind: '', create: true };

/** The origin of what was read, beside the annotations as they are written. */
export function annotate({ node }: Resource, origin: string): void {
  const set = entrySetter(originKey, origin, () => computed('buildMetadata', undefined), undefined);
  if (node) visitField(node, { spec: annotations, create: 'map', createTag: mapTag, set });
}

export function addOrigin(resource: Resource, origin: string): void {
  if (!resource.annotations.has(originKey)) resource.note(originKey, origin);
}

/** A resource that has no origin is one that the step has made. */
export function addTransformation(resource: Resource, origin: string): void {
  const { annotations } = resource;
  if (!annotations.has(originKey)) {
    resource.note(originKey, origin);
    return;
  }
  const item = `- ${origin.trimEnd().split('\n').join('\n  ')}\n`;
  resource.note(transformationsKey, `${annotations.get(transformationsKey) ?? ''}${item}`);
}
