import { isMap, type Value } from '../../../../base/value.ts';
import { child, type FieldPath, rootPath } from '../../../field.ts';
import { goString } from '../../../goValue.ts';
import type { Fields } from '../check.ts';
import { wholeStruct } from '../goTexts.ts';
import { persistentSources } from '../persistentVolume.ts';
import { sameValues } from './same.ts';

// Claims and volumes that are bound to each other. The server adds to its errors how two structs differ: `{…}` stands for that.

/** How much is asked for may grow once the claim is bound, and volumeName is set by whoever binds it. */
const ofClaim = ['accessModes', 'selector', 'storageClassName', 'volumeName', 'dataSource', 'dataSourceRef'];

export function updateClaim(now: Fields, before: Fields): void {
  const [spec, old] = [now.object('spec'), before.object('spec')];
  const changed = [
    ...ofClaim.filter((key) => changes(spec, old, key)),
    ...(modeChanges(spec, old) ? ['volumeMode'] : []),
  ];
  if (changed.length === 0) return;
  const why =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  now.check.forbidden(at('spec', ['spec', changed[0]!]), `${why}\n{…}`, 'builtin/immutable');
  keepsMode(spec, old);
}

export function updateVolume(now: Fields, before: Fields): void {
  const { check } = now;
  const [spec, old] = [now.object('spec'), before.object('spec')];
  spec.part(() => {
    const source = changedSource(spec, old);
    const why = 'spec.persistentvolumesource is immutable after creation\n{…}';
    if (source) check.forbidden(at('spec.persistentvolumesource', ['spec', source]), why, 'builtin/immutable');
  });
  spec.part(() => keepsMode(spec, old));
  spec.part(() => {
    if (!changes(spec, old, 'nodeAffinity') || hasBetaLabels(spec) || hasBetaLabels(old)) return;
    const why = 'field is immutable, except for updating from beta label to GA';
    check.invalid(at('nodeAffinity', ['spec', 'nodeAffinity']), wholeStruct, why, 'builtin/immutable');
  });
}

function at(field: string, steps: FieldPath['steps']): FieldPath {
  return child(rootPath, field, steps);
}

/** A field that both give, and give otherwise. */
function changes(now: Fields, before: Fields, key: string): boolean {
  return now.has(key) && before.has(key) && !sameValues(now.value(key), before.value(key), true);
}

const modeOf = (spec: Fields) => spec.text('volumeMode') || 'Filesystem';
const modeChanges = (now: Fields, before: Fields) => modeOf(now) !== modeOf(before);

function keepsMode(now: Fields, before: Fields): void {
  if (!modeChanges(now, before)) return;
  const spot = at('volumeMode', now.has('volumeMode') ? ['spec', 'volumeMode'] : ['spec']);
  now.check.invalid(spot, goString(modeOf(now)), 'field is immutable', 'builtin/immutable');
}

/** Where volumes are is never filled in by the server, only how they are mounted. */
function changedSource(now: Fields, before: Fields): string | undefined {
  const other = persistentSources.find((kind) => now.has(kind) !== before.has(kind));
  if (other) return persistentSources.find((kind) => now.has(kind)) ?? other;
  return persistentSources.find((kind) => {
    const [a, b] = [now.value(kind), before.value(kind)];
    return !sameValues(withoutSecret(a, b), withoutSecret(b, a), false);
  });
}

/** Which secret expands a volume may be said later. */
function withoutSecret(value: Value | undefined, other: Value | undefined): Value | undefined {
  const key = 'controllerExpandSecretRef';
  if (!isMap(value) || (isMap(other) && other.has(key) && value.has(key))) return value;
  return new Map([...value].filter(([name]) => name !== key));
}

/** The server compares an empty one as if any other could replace it. */
const isReplaceable = (label: string) => label === '' || label.includes('beta.');

function hasBetaLabels(spec: Fields): boolean {
  const terms = spec.object('nodeAffinity').object('required').items('nodeSelectorTerms');
  return terms.some((term) => term.items('matchExpressions').some((one) => isReplaceable(one.text('key'))));
}
