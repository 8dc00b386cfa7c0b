import type { Path } from '../../base/value.ts';
import { semanticEqual } from '../../kubernetes/crd/equal.ts';
import type { LoweredVersion } from '../../kubernetes/crd/lower.ts';
import { type SchemaPlace, versionsOf } from '../lints/linted.ts';
import { type Change, type ChangeKind, type ComparedCrd, type Effect, listed, missingIn } from './change.ts';
import { schemaChanges } from './schemas.ts';

/** What differs between the versions of a CRD and those that it had. */
export function versionChanges(compared: ComparedCrd): Change[] {
  const { crd, old } = compared;
  const before = firstByName(old.versions);
  const now = firstByName(crd.versions);
  const roots = new Map(versionsOf({ crd }).map(({ version, root }) => [version, root]));
  const more = crd.versions.filter(({ name }) => !before.has(name)).slice(0, mostHeirs);
  return [
    ...old.versions.flatMap((was) => versionGone(compared, was, now.get(was.name), more)),
    ...storageMoved(compared),
    ...crd.versions.flatMap((is, i) => {
      const was = before.get(is.name)?.version;
      return was ? changesOf(compared, was, is, i, roots.get(is)) : added(is, i);
    }),
  ];
}

/** How many new versions are looked at to find which one a removed version may have become. */
const mostHeirs = 10;

interface Placed {
  readonly version: LoweredVersion;
  readonly at: number;
}

function firstByName(versions: readonly LoweredVersion[]): ReadonlyMap<string, Placed> {
  const found = new Map<string, Placed>();
  for (const [at, version] of versions.entries())
    if (!found.has(version.name)) found.set(version.name, { version, at });
  return found;
}

function change(
  version: string,
  kind: ChangeKind,
  effect: Effect,
  title: string,
  message: string,
  at: Path,
  anchor: Change['anchor'] = 'key',
): Change {
  return { kind, effect, version, field: '', title, message, at, anchor };
}

function versionGone(
  { ref }: ComparedCrd,
  was: LoweredVersion,
  now: Placed | undefined,
  more: readonly LoweredVersion[],
): Change[] {
  const { name } = was;
  if (!was.served) {
    if (now) return [];
    const message = 'No client could use it. Objects that are still stored in it could no longer be read.';
    return [change(name, 'version-removed', 'changes', 'removed', message, ['spec', 'versions'])];
  }
  if (now?.version.served) return [];
  const at = now ? ['spec', 'versions', now.at, 'served'] : ['spec', 'versions'];
  const heirs = now ? [] : more.filter((one) => semanticEqual(one.schema, was.schema));
  const renamed =
    heirs.length === 1 ? ` \`${heirs[0]!.name}\` has the same schema: to clients that is another version.` : '';
  const message = `${ref} serves ${name}: clients and manifests that still use it will fail, because the kind no longer exists there. Stored objects stay, and are served in the other versions.${renamed}`;
  const title = now ? 'no longer served' : 'removed';
  return [change(name, 'version-removed', 'breaks', title, message, at, now ? 'value' : 'key')];
}

function added({ name, served }: LoweredVersion, i: number): Change[] {
  const message = served ? 'Clients can use it beside the others.' : 'It is not served: no client can use it yet.';
  return [change(name, 'version-added', 'widens', 'added', message, ['spec', 'versions', i, 'name'], 'value')];
}

// The storage version

function storageMoved(compared: ComparedCrd): Change[] {
  const { crd, old } = compared;
  const [was, is] = [old, crd].map(({ versions }) => versions.find(({ storage }) => storage));
  if (!was || !is || was.name === is.name) return [];
  const i = crd.versions.indexOf(is);
  const message = `Objects are stored in ${is.name} when they are next written. Until all of them were, ${was.name} has to stay in \`spec.versions\`.`;
  const moved = change(
    is.name,
    'storage-version-changed',
    'changes',
    `storage version: ${was.name} → ${is.name}`,
    message,
    ['spec', 'versions', i, 'storage'],
  );
  return [moved, ...lostInStorage(compared, was, is)];
}

/** What the former storage version has and the new one drops. */
function lostInStorage(
  { crd, kubernetes, onlyBroken = false }: ComparedCrd,
  was: LoweredVersion,
  is: LoweredVersion,
): Change[] {
  const place = versionsOf({ crd }).find(({ version }) => version === is)?.root;
  if (!place || !was.structural || crd.convertedByWebhook) return [];
  const compared = {
    place,
    old: was.structural,
    ref: was.name,
    version: is.name,
    kubernetes,
    ownStatus: is.status,
    onlyBroken,
  };
  return schemaChanges(compared)
    .filter(({ kind }) => kind === 'field-removed')
    .map((lost) => ({
      ...lost,
      title: `not stored any more: ${lost.title}`,
      message: `${was.name}, which objects were stored in, has them and ${is.name} does not: they are dropped when an object is next written.`,
    }));
}

// One version

function changesOf(
  compared: ComparedCrd,
  was: LoweredVersion,
  is: LoweredVersion,
  i: number,
  place: SchemaPlace | undefined,
): Change[] {
  const { ref, kubernetes, onlyBroken = false } = compared;
  const at: Path = ['spec', 'versions', i];
  const schemas =
    place && was.structural && was.served && is.served
      ? schemaChanges({
          place,
          old: was.structural,
          ref,
          version: is.name,
          kubernetes,
          ownStatus: is.status,
          onlyBroken,
        })
      : [];
  return [
    ...served(was, is, at),
    ...deprecation(was, is, at),
    ...subresources(compared, was, is, at),
    ...columns(was, is, at),
    ...selectable(was, is, at),
    ...schemas,
  ];
}

function served(was: LoweredVersion, is: LoweredVersion, at: Path): Change[] {
  if (was.served || !is.served) return [];
  const message = 'Clients can use it now.';
  return [change(is.name, 'version-added', 'widens', 'served now', message, [...at, 'served'])];
}

function deprecation(was: LoweredVersion, is: LoweredVersion, at: Path): Change[] {
  if (was.deprecated === is.deprecated && was.deprecationWarning === is.deprecationWarning) return [];
  const title = is.deprecated
    ? was.deprecated
      ? 'another deprecation warning'
      : 'deprecated'
    : 'no longer deprecated';
  const message = is.deprecated
    ? 'Clients that use the version get a warning with every request.'
    : 'Clients no longer get a warning.';
  return [change(is.name, 'version-deprecated', 'changes', title, message, [...at, 'deprecated'])];
}

function subresources({ ref }: ComparedCrd, was: LoweredVersion, is: LoweredVersion, at: Path): Change[] {
  const here = [...at, 'subresources'];
  const found: Change[] = [];
  if (!was.status && is.status) {
    const message = `In ${ref} the status is written with the object. Now it is dropped there: controllers have to write it to the status endpoint.`;
    found.push(change(is.name, 'subresource-added', 'breaks', 'the status has an endpoint of its own', message, here));
  }
  if (was.status && !is.status) {
    const message =
      'Controllers that write the status to its endpoint fail, and whoever writes the object writes its status.';
    found.push(change(is.name, 'subresource-removed', 'breaks', 'no status endpoint any more', message, here));
  }
  if (!was.scale && is.scale) {
    const message = '`kubectl scale` and autoscalers can be used.';
    found.push(change(is.name, 'subresource-added', 'widens', 'a scale endpoint', message, here));
  }
  if (was.scale && !is.scale) {
    const message = '`kubectl scale` and autoscalers fail.';
    found.push(change(is.name, 'subresource-removed', 'breaks', 'no scale endpoint any more', message, here));
  }
  if (was.scale && is.scale && !semanticEqual(was.scale, is.scale)) {
    const message = '`kubectl scale` and autoscalers read and write other fields.';
    found.push(change(is.name, 'subresource-changed', 'may-break', 'other paths for scaling', message, here));
  }
  return found;
}

function columns(was: LoweredVersion, is: LoweredVersion, at: Path): Change[] {
  if (semanticEqual(was.printerColumns, is.printerColumns)) return [];
  const names = ({ printerColumns }: LoweredVersion) => printerColumns.map(({ name = '' }) => name);
  const [before, now] = [names(was), names(is)];
  const [gone, more] = [missingIn(now, before), missingIn(before, now)];
  const parts = [
    ...(more.length > 0 ? [`new: ${listed(more)}`] : []),
    ...(gone.length > 0 ? [`gone: ${listed(gone)}`] : []),
  ];
  const title = `columns of kubectl get${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
  const message = '`kubectl get` prints other columns. Scripts that read its output may depend on them.';
  return [change(is.name, 'columns-changed', 'changes', title, message, [...at, 'additionalPrinterColumns'])];
}

function selectable(was: LoweredVersion, is: LoweredVersion, at: Path): Change[] {
  const gone = missingIn(is.selectableFields, was.selectableFields);
  const more = missingIn(was.selectableFields, is.selectableFields);
  const here = [...at, 'selectableFields'];
  const found: Change[] = [];
  if (gone.length > 0) {
    const message = 'Requests that select by it, such as `kubectl get --field-selector`, are rejected.';
    const title = `no longer selectable: ${listed(gone)}`;
    found.push(change(is.name, 'selectable-field-removed', 'breaks', title, message, here));
  }
  if (more.length > 0) {
    const message = 'Clients can select objects by it.';
    found.push(change(is.name, 'selectable-field-added', 'widens', `selectable: ${listed(more)}`, message, here));
  }
  return found;
}
