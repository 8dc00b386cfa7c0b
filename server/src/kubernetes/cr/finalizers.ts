import { quote } from '../../go/quote.ts';
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
  return added.flatMap((name) => texts(name, version).map((text) => warning(name, text, meta)));
}

function texts(name: string, version: KubernetesVersion): string[] {
  const found = qualifiedName(name, version);
  if (name.includes('/') || standard.has(name)) return [...found];
  const path = version.finalizerWarningNamesPath && name.includes('.') ? ' including a path (/)' : '';
  const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
  return [...found, advice];
}

function warning(name: string, text: string, meta: ObjectMeta): CrFinding {
  return {
    code: 'cr/finalizer-name',
    type: 'FieldValueInvalid',
    field: 'metadata.finalizers',
    message: `metadata.finalizers: ${quote(name)}: ${text}`,
    path: ['metadata', 'finalizers', meta.finalizers?.indexOf(name) ?? 0],
    anchor: 'value',
    facts: { finalizer: name },
  };
}
