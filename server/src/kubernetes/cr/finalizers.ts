import { quote } from '../../gostd/quote.ts';
import type { ObjectMeta } from '../api/objectMeta.ts';
import { qualifiedName } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { CrFinding } from './findings.ts';

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Warnings about the names of finalizers that are new. */
export function finalizerWarnings(
  meta: ObjectMeta,
  old: ObjectMeta | undefined,
  version: KubernetesVersion,
): CrFinding[] {
  const before = new Set(old?.finalizers);
  const added = [...new Set(meta.finalizers)].filter((name) => !before.has(name)).sort();
  const places = new Map([...(meta.finalizers ?? []).entries()].reverse().map(([i, name]) => [name, i]));
  return added.flatMap((name) => texts(name, version).map((text) => warning(name, text, places.get(name) ?? 0)));
}

function texts(name: string, version: KubernetesVersion): string[] {
  const found = qualifiedName(name, version);
  if (name.includes('/') || standard.has(name)) return [...found];
  const path = version.finalizerWarningNamesPath && name.includes('.') ? ' including a path (/)' : '';
  const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
  return [...found, advice];
}

function warning(name: string, text: string, at: number): CrFinding {
  return {
    code: 'cr/finalizer-name',
    type: 'FieldValueInvalid',
    field: 'metadata.finalizers',
    message: `metadata.finalizers: ${quote(name)}: ${text}`,
    path: ['metadata', 'finalizers', at],
    anchor: 'value',
    facts: { finalizer: name },
  };
}
