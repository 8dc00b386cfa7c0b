import { createCrd } from '../../kubernetes/crd/create.ts';
import type { CrdFinding } from '../../kubernetes/crd/findings.ts';
import { lowerCrd } from '../../kubernetes/crd/lower.ts';
import { updateCrd } from '../../kubernetes/crd/update.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { boundedMatching } from '../../kubernetes/schema/matching.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { type Change, effects, listed } from './change.ts';
import { crdChanges } from './crds.ts';

export interface Comparison {
  /** The worst first. */
  readonly changes: readonly Change[];
  /** Why it says less than it could. */
  readonly notes: readonly string[];
}

/** All that changes for those who use a CRD, what the API server refuses of it included. */
export function compareCrd(old: Manifest, now: Manifest, ref: string, kubernetes: KubernetesVersion): Comparison {
  const before = lowerCrd(old.value, kubernetes);
  const after = lowerCrd(now.value, kubernetes);
  const { result, unmatched } = boundedMatching(() => refusedBy(old, now, ref, kubernetes));
  const { found, note } = result;
  const cut = 'Some defaults were too long to be matched against their patterns, and were not compared.';
  const others = before && after ? crdChanges({ crd: after, old: before, ref, kubernetes }) : [];
  const changes = [...found, ...withoutDetails(others)];
  const rank = ({ effect }: Change) => effects.indexOf(effect);
  return {
    changes: changes.sort((a, b) => rank(a) - rank(b)),
    notes: [...(note === undefined ? [] : [note]), ...(unmatched.length > 0 ? [cut] : [])],
  };
}

/** What the API server has against the update; where the old CRD could not be stored, against the new one as such. */
function refusedBy(old: Manifest, now: Manifest, ref: string, kubernetes: KubernetesVersion) {
  const [first] = refusals(createCrd(old.value, { kubernetes }));
  const note =
    first &&
    `The API server refuses the CRD of ${ref} itself, so nothing can be stored under it: ${first.field} ${first.message}`;
  const verdict = first ? createCrd(now.value, { kubernetes }) : updateCrd(old.value, now.value, { kubernetes });
  return { found: refusals(verdict), note };
}

function refusals({ decode, panic, errors }: ReturnType<typeof createCrd>): Change[] {
  if (decode) return [refused('', decode.message, decode.path)];
  if (panic) return [refused('', 'The API server crashes on this schema.', panic.path)];
  return errors.map(({ field, message, path }: CrdFinding) => refused(field, message, path));
}

function refused(field: string, message: string, at: Change['at']): Change {
  return { kind: 'refused', effect: 'refused', field, title: 'refused', message, at, anchor: 'value' };
}

const mostNamed = 5;

/** The descriptions of many fields are one change. */
function withoutDetails(changes: readonly Change[]): Change[] {
  const isText = ({ kind }: Change) => kind === 'description-changed';
  const versions = new Set(changes.filter(isText).map(({ version }) => version));
  const merged = [...versions].map((version): Change => {
    const all = changes.filter((one) => isText(one) && one.version === version);
    const [first] = all as [Change];
    const names = all.slice(0, mostNamed).map(({ field }) => field || 'the object');
    const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
    return all.length === 1 ? first : { ...first, field: '', title: `descriptions of ${listed(names)}${more}` };
  });
  return [...changes.filter((one) => !isText(one)), ...merged];
}
