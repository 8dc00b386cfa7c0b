import { child, type FieldPath } from '../../field.ts';
import { goString } from '../../goValue.ts';
import type { Fields } from './check.ts';
import type { PodContext } from './podContext.ts';
import { relativePath, withoutParents } from './texts.ts';

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

/** The mounts and the devices of a container. */
export function validateMounts(container: Fields, context: PodContext): void {
  if (context.dropsMounts) return;
  container.part(() => uniqueMounts(container));
  container.each('volumeMounts', (mount) => validateMount(mount, container, context));
  container.part(() => devices(container, context));
}

function validateMount(mount: Fields, container: Fields, { volumes }: PodContext): void {
  mount.part(() => {
    const name = mount.text('name');
    if (name === '') mount.required('name');
    if (volumes && !volumes.has(name)) mount.check.notFound(mount.at('name'), name, [...volumes.keys()]);
  });
  mount.part(() => {
    if (mount.text('mountPath') === '') mount.required('mountPath');
  });
  mount.part(() => subPaths(mount, container));
  mount.part(() => propagation(mount, container));
  mount.part(() => recursiveReadOnly(mount, container));
}

/** Where the server names the list without the place in it. */
function listed(mount: Fields, container: Fields, key: string): FieldPath {
  return child(child(container.spot, 'volumeMounts'), key, [...mount.spot.steps, key]);
}

function subPaths(mount: Fields, container: Fields): void {
  const [path, expression] = [mount.text('subPath'), mount.text('subPathExpr')];
  if (path !== '') mount.wrong(listed(mount, container, 'subPath'), path, relativePath(path));
  if (expression === '') return;
  const why = 'subPathExpr and subPath are mutually exclusive';
  if (path !== '') mount.check.invalid(mount.at('subPathExpr'), expression, why, 'builtin/one-of');
  mount.wrong(listed(mount, container, 'subPathExpr'), expression, relativePath(expression));
}

function propagation(mount: Fields, container: Fields): void {
  const mode = mount.pointed('mountPropagation');
  if (mode === undefined) return;
  const spot = listed(mount, container, 'mountPropagation');
  if (!propagations.includes(mode)) mount.check.unsupported(spot, goString(mode), propagations);
  if (mode !== 'Bidirectional' || container.object('securityContext').isTrue('privileged')) return;
  mount.check.forbidden(spot, 'Bidirectional mount propagation is available only to privileged containers');
}

const readOnlyModes = ['Disabled', 'Enabled', 'IfPossible'];

function recursiveReadOnly(mount: Fields, container: Fields): void {
  const mode = mount.pointed('recursiveReadOnly');
  if (mode === undefined) return;
  const { check } = mount;
  const spot = listed(mount, container, 'recursiveReadOnly');
  if (!readOnlyModes.includes(mode)) {
    check.unsupported(spot, goString(mode), readOnlyModes);
    return;
  }
  if (mode === 'Disabled') return;
  if (!mount.isTrue('readOnly')) check.forbidden(spot, 'may only be specified when readOnly is true');
  const other = mount.pointed('mountPropagation') ?? 'None';
  const why = 'may only be specified when mountPropagation is None or not specified';
  if (other !== 'None') check.forbidden(spot, why);
}

function uniqueMounts(container: Fields): void {
  const { check } = container;
  // The server has devices by their names too.
  const mounted = container.items('volumeDevices');
  const names = new Map(mounted.map((device) => [device.text('name'), device.text('devicePath')]));
  const paths = new Set(names.values());
  const seen = new Set<string>();
  for (const mount of container.items('volumeMounts')) {
    const [name, path] = [mount.text('name'), mount.text('mountPath')];
    if (seen.has(path)) check.invalid(mount.at('mountPath'), path, 'must be unique');
    seen.add(path);
    if (names.has(name)) check.invalid(mount.at('name'), name, 'must not already exist in volumeDevices');
    if (paths.has(path)) {
      check.invalid(mount.at('mountPath'), path, 'must not already exist as a path in volumeDevices');
    }
  }
}

function devices(container: Fields, { volumes }: PodContext): void {
  const { check } = container;
  const mounted = container.items('volumeMounts');
  // The server has them by their names: of one that is mounted twice it knows the last path only.
  const mounts = new Map(mounted.map((mount) => [mount.text('name'), mount.text('mountPath')]));
  const mountPaths = new Set(mounts.values());
  const [names, paths] = [new Set<string>(), new Set<string>()];
  for (const device of container.items('volumeDevices')) {
    const [name, path] = [device.text('name'), device.text('devicePath')];
    const volume = volumes?.get(name);
    const [nameSpot, pathSpot] = [device.at('name'), device.at('devicePath')];
    if (name === '') device.required('name');
    if (names.has(name)) check.invalid(nameSpot, name, 'must be unique');
    if (volume && !volume.has('persistentVolumeClaim') && !volume.has('ephemeral')) {
      const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      check.invalid(nameSpot, name, why);
    }
    if (volumes && !volume) check.notFound(nameSpot, name, [...volumes.keys()]);
    if (path === '') device.required('devicePath');
    if (paths.has(path)) check.invalid(pathSpot, path, 'must be unique');
    if (path !== '' && withoutParents(path).length > 0) {
      check.invalid(pathSpot, path, "can not contain backsteps ('..')");
    } else paths.add(path);
    if (mounts.has(name)) check.invalid(nameSpot, name, 'must not already exist in volumeMounts');
    if (mountPaths.has(path)) check.invalid(pathSpot, path, 'must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
  }
}
