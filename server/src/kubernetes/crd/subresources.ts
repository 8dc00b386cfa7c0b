import type { PrinterColumn, Subresources } from '../api/crd.ts';
import { textPointer } from '../api/goTypes.ts';
import { child, type FieldPath, invalid, required } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { CrdFinding } from './findings.ts';

const dotted = 'must be a simple json path starting with .';

/** The API server names the scale paths in one breath with `scale`. */
function scalePath(spot: FieldPath, name: string): FieldPath {
  return child(spot, `scale.${name}`, ['scale', name]);
}

function replicasPath(
  path: string,
  name: 'specReplicasPath' | 'statusReplicasPath',
  prefix: '.spec' | '.status',
  spot: FieldPath,
  version: KubernetesVersion,
): CrdFinding[] {
  const at = scalePath(spot, name);
  const facts = { field: name, prefix };
  if (path === '') return [required(at, '', { code: 'crd/scale-path-required', facts })];
  if (!path.startsWith('.')) return [invalid(at, path, dotted, version, { code: 'crd/scale-path-simple', facts })];
  if (path.startsWith(`${prefix}.`)) return [];
  const detail = `should be a json path under ${prefix}`;
  return [invalid(at, path, detail, version, { code: 'crd/scale-path-place', facts })];
}

function selectorPath(path: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const at = scalePath(spot, 'labelSelectorPath');
  const facts = { field: 'labelSelectorPath' };
  if (path === '') return [];
  if (!path.startsWith('.')) return [invalid(at, path, dotted, version, { code: 'crd/scale-path-simple', facts })];
  if (path.startsWith('.spec.') || path.startsWith('.status.')) return [];
  const detail = 'should be a json path under either .spec or .status';
  return [invalid(at, textPointer().print(path), detail, version, { code: 'crd/scale-path-place', facts })];
}

export function validateSubresources(
  subresources: Subresources | undefined,
  spot: FieldPath,
  version: KubernetesVersion,
): CrdFinding[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  return [
    ...replicasPath(scale.specReplicasPath ?? '', 'specReplicasPath', '.spec', spot, version),
    ...replicasPath(scale.statusReplicasPath ?? '', 'statusReplicasPath', '.status', spot, version),
    ...selectorPath(scale.labelSelectorPath ?? '', spot, version),
  ];
}

const columnTypes: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats: readonly string[] = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function columnType(type: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const detail = `must be one of ${columnTypes.join(',')}`;
  const about = { code: 'crd/column-type' as const, facts: { type, supported: columnTypes } };
  if (type === '') return [required(spot, detail, about)];
  return columnTypes.includes(type) ? [] : [invalid(spot, type, detail, version, about)];
}

function columnFormat(format: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  if (format === '' || columnFormats.includes(format)) return [];
  const about = { code: 'crd/column-format' as const, facts: { format, supported: columnFormats } };
  return [invalid(spot, format, `must be one of ${columnFormats.join(',')}`, version, about)];
}

function columnPath(path: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const about = { code: 'crd/column-path' as const, facts: { path } };
  if (path === '') return [required(spot, '', about)];
  return path.startsWith('.') ? [] : [invalid(spot, path, dotted, version, about)];
}

export function validateColumn(column: PrinterColumn, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const unnamed = column.name ? [] : [required(child(spot, 'name'), '', { code: 'crd/column-name' as const })];
  return [
    ...unnamed,
    ...columnType(column.type ?? '', child(spot, 'type'), version),
    ...columnFormat(column.format ?? '', child(spot, 'format'), version),
    ...columnPath(column.jsonPath ?? '', child(spot, 'JSONPath', ['jsonPath']), version),
  ];
}
