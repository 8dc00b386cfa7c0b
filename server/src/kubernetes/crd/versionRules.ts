import { byteLength } from '../../gostd/bytes.ts';
import { isPrint } from '../../gostd/quote.ts';
import { type CrdVersion, specStruct } from '../api/crd.ts';
import { textPointer } from '../api/goTypes.ts';
import { child, type FieldPath, index, invalid, required } from '../field.ts';
import { goStrings } from '../goValue.ts';
import { dns1035Label } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { CrdFinding } from './findings.ts';
import type { InternalSpec } from './internal.ts';
import type { CrdOptions } from './options.ts';

export function validateVersionName(name: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const texts = dns1035Label(name);
  if (texts.length === 0) return [];
  return [invalid(spot, name, texts.join(','), version, { code: 'crd/version-name', facts: { name } })];
}

function unprintable(text: string): string[] {
  let at = 0;
  for (const character of text) {
    if (!isPrint(character)) {
      return [`must only contain printable UTF-8 characters; non-printable character found at index ${at}`];
    }
    at += byteLength(character);
  }
  return [];
}

function warningTexts(deprecated: boolean, warning: string): string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const texts: string[] = [];
  if (byteLength(warning) > 256) texts.push('must be <= 256 characters long');
  if (warning === '') texts.push('must not be an empty string');
  return [...texts, ...unprintable(warning)];
}

export function validateDeprecationWarning(
  item: CrdVersion,
  spot: FieldPath,
  version: KubernetesVersion,
): CrdFinding[] {
  const warning = item.deprecationWarning;
  if (warning === undefined) return [];
  const about = { code: 'crd/deprecation-warning' as const, facts: { deprecated: item.deprecated ?? false } };
  return warningTexts(item.deprecated ?? false, warning).map((text) =>
    invalid(child(spot, 'deprecationWarning'), textPointer().print(warning), text, version, about),
  );
}

/** What is wrong with the versions as a whole. */
export function validateVersionSet(
  spec: InternalSpec,
  absent: boolean,
  spot: FieldPath,
  version: KubernetesVersion,
): CrdFinding[] {
  const found: CrdFinding[] = [];
  const names = spec.versions.map((item) => item.name ?? '');
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  const value = () => specStruct.fields.versions.type.print(absent ? undefined : spec.versions);
  if (twice.length > 0) {
    const about = { code: 'crd/version-duplicate' as const, facts: { names: twice } };
    found.push(invalid(spot, value(), 'must contain unique version names', version, about));
  }
  const storage = spec.versions.flatMap((item, i) => (item.storage ? [i] : []));
  if (storage.length !== 1) {
    const about = { code: 'crd/storage-version' as const, facts: { storage } };
    found.push(invalid(spot, value(), 'must have exactly one version marked as storage version', version, about));
  }
  return found;
}

/** Which versions lack a schema, where each must have one. */
export function validateSchemasPresent(spec: InternalSpec, spot: FieldPath, options: CrdOptions): CrdFinding[] {
  if (spec.validation?.openAPIV3Schema) return [];
  if (!options.requireSchema && spec.preserveUnknownFields) return [];
  const word = options.version.omitsRepeatedField ? '' : 'schemas are required';
  const detail = options.requireSchema ? word : 'because otherwise all fields are pruned';
  return spec.versions.flatMap((item, i) => {
    if (item.schema?.openAPIV3Schema || (!options.requireSchema && !item.served)) return [];
    const at = child(child(index(spot, i), 'schema'), 'openAPIV3Schema');
    return [required(at, detail, { code: 'crd/version-schema-missing', facts: { version: item.name ?? '' } })];
  });
}

export function validateStoredVersions(
  stored: readonly string[] | undefined,
  versions: readonly CrdVersion[],
  spot: FieldPath,
  version: KubernetesVersion,
): CrdFinding[] {
  if (!stored || stored.length === 0) {
    const about = { code: 'crd/stored-versions-empty' as const };
    return [invalid(spot, goStrings(stored), 'must have at least one stored version', version, about)];
  }
  const lost = new Map(stored.map((name, i) => [name, i]));
  const found: CrdFinding[] = [];
  for (const { name = '', storage } of versions) {
    if (storage && !lost.has(name)) {
      const about = { code: 'crd/stored-versions-storage' as const, facts: { version: name } };
      found.push(invalid(spot, goStrings(stored), `must have the storage version ${name}`, version, about));
    }
    lost.delete(name);
  }
  for (const [name, i] of lost) {
    const about = { code: 'crd/stored-version-missing' as const, facts: { version: name } };
    found.push(invalid(index(spot, i), name, lostText(name, version), version, about));
  }
  return found;
}

function lostText(name: string, version: KubernetesVersion): string {
  if (version.storedVersionText === 'must appear') return 'must appear in spec.versions';
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}
