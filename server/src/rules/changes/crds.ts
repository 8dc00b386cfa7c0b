import type { Path } from '../../base/value.ts';
import { semanticEqual } from '../../kubernetes/crd/equal.ts';
import { type Change, type ChangeKind, type ComparedCrd, type Effect, missingIn } from './change.ts';
import { versionChanges } from './versions.ts';

/** All that a change of a CRD does, but for what the API server refuses. */
export function crdChanges(compared: ComparedCrd): Change[] {
  return [...names(compared), ...conversion(compared), ...versionChanges(compared)];
}

/** A CRD whose kind had another name. */
export function crdRenamed(formerName: string, ref: string): Change {
  const message = `In ${ref} the CRD of this kind is called \`${formerName}\`. To the API server this is a different CRD: the old one stays, and its objects stay with it. They do not move to the new one.`;
  return ofAll('crd-renamed', 'breaks', `was \`${formerName}\``, message, ['metadata', 'name'], 'value');
}

export function crdAdded(): Change {
  const message = 'A kind that was not there before.';
  return ofAll('crd-added', 'widens', 'a new CRD', message, ['metadata', 'name'], 'value');
}

export function crdRemoved(): Change {
  const message = 'When a CRD is deleted, the API server deletes all objects of its kind.';
  return ofAll('crd-removed', 'breaks', 'the CRD is gone', message, ['metadata', 'name'], 'value');
}

function ofAll(
  kind: ChangeKind,
  effect: Effect,
  title: string,
  message: string,
  at: Path,
  anchor: Change['anchor'] = 'key',
): Change {
  return { kind, effect, field: '', title, message, at, anchor };
}

function names({ crd, old }: ComparedCrd): Change[] {
  const path = ['spec', 'names'];
  const [was, is] = [old.names, crd.names];
  const found: Change[] = [];
  const compare = (
    key: 'shortNames' | 'categories' | 'singular',
    before: readonly string[],
    now: readonly string[],
  ) => {
    const gone = missingIn(now, before);
    const more = missingIn(before, now);
    for (const one of gone)
      found.push(
        ofAll(
          'name-removed',
          'may-break',
          `${key}: \`${one}\` is gone`,
          `\`kubectl get ${one}\` no longer finds the kind. Scripts may use it.`,
          [...path, key],
        ),
      );
    for (const one of more)
      found.push(
        ofAll('name-added', 'widens', `${key}: \`${one}\``, `\`kubectl get ${one}\` finds the kind.`, [...path, key]),
      );
  };
  compare('shortNames', was.shortNames ?? [], is.shortNames ?? []);
  compare('categories', was.categories ?? [], is.categories ?? []);
  const singular = (one: typeof was) => [one.singular || (one.kind ?? '').toLowerCase()];
  compare('singular', singular(was), singular(is));
  const [oldList, newList] = [was, is].map(({ listKind, kind }) => listKind || `${kind}List`);
  if (oldList !== newList && was.kind === is.kind) {
    const message = 'Clients that read lists by their kind may not know it.';
    found.push(
      ofAll('list-kind-changed', 'may-break', `list kind: ${oldList} → ${newList}`, message, [...path, 'listKind']),
    );
  }
  return found;
}

function conversion({ crd, old }: ComparedCrd): Change[] {
  const [was, is] = [old, crd].map((one) => one.conversion?.strategy ?? 'None');
  const at = ['spec', 'conversion'];
  if (was !== is) {
    const message =
      is === 'Webhook'
        ? 'Every read and write of another than the stored version needs the webhook: if it cannot be reached, they fail.'
        : 'Objects only get another `apiVersion` when they are read in another version. Fields that the version does not have are dropped, and nothing converts their values any more.';
    return [ofAll('conversion-changed', 'may-break', `conversion: ${was} → ${is}`, message, at)];
  }
  if (is === 'None' || semanticEqual(old.conversion, crd.conversion)) return [];
  const message = 'Another webhook, or the same one in another place, converts objects from now on.';
  return [ofAll('conversion-changed', 'may-break', 'the conversion webhook', message, at)];
}
