import { quantitySign } from '../../../gostd/quantity.ts';
import { quote } from '../../../gostd/quote.ts';
import { child, type FieldPath, index } from '../../field.ts';
import { goString } from '../../goValue.ts';
import { dns1123Label, dns1123Subdomain } from '../../names.ts';
import { Fields } from './check.ts';
import { validateClaimTemplate } from './claims.ts';
import { ofVolumes, validateFieldRef, validateResourceRef } from './env.ts';
import { quantityIn } from './goTexts.ts';
import { initiatorLength, networkSources, type Source, type Sources } from './networkVolumes.ts';
import type { PodOptions, Volumes } from './podContext.ts';
import { ownPath, relativePath, withoutParents } from './texts.ts';

const askedAbout = ['persistentVolumeClaim', 'ephemeral', 'image', 'emptyDir'];

/** Validates the volumes of a pod; one with a mistake cannot be mounted. Undefined where some are not known. */
export function validateVolumes(spec: Fields, options: PodOptions): Volumes | undefined {
  const { check } = spec;
  const volumes = check.known(() => placedVolumes(spec, options));
  if (dropsImages(spec)) return undefined;
  if (!volumes) {
    spec.each('volumes', (volume) => validateVolume(volume, options));
    return undefined;
  }
  if (options.added) claimVolumes(spec, options.added);
  const wrong = new Set<Fields>();
  for (const volume of volumes) {
    const before = check.found.length;
    check.part(() => validateVolume(volume, options));
    if (check.found.length > before) wrong.add(volume);
  }
  return check.known(() => {
    const known = new Map<string, ReadonlySet<string>>();
    for (const name of options.added ?? []) {
      if (dns1123Label(name).length === 0) known.set(name, new Set(['persistentVolumeClaim']));
    }
    for (const volume of volumes) {
      const name = volume.text('name');
      if (known.has(name)) check.duplicate(volume.at('name'), name);
      // The name of a wrong one is free for others.
      else if (!wrong.has(volume)) known.set(name, new Set(askedAbout.filter((kind) => volume.has(kind))));
    }
    return known;
  });
}

/** Without the feature the server drops images, with what mounts them: nothing is as it is written. */
export function dropsImages(spec: Fields): boolean {
  if (spec.version.builtin.imageVolumes !== 'dropped') return false;
  return spec.check.known(() => spec.items('volumes').some((volume) => volume.has('image'))) ?? true;
}

/** What is wrong with the names of claims that volumes are made of. The order of several is the server's secret. */
function claimVolumes(spec: Fields, added: readonly string[]): void {
  const [name, ...more] = new Set(added);
  if (name === undefined || more.length > 0) return;
  const { check } = spec;
  const volume: FieldPath = { ...index(spec.at('volumes'), 0), steps: [] };
  const at = (field: string): FieldPath => ({
    ...child({ ...volume, parent: { ...spec.at('volumes'), steps: [] } }, field),
    steps: [],
  });
  if (name === '') {
    check.required(at('name'));
    check.required(child(at('persistentVolumeClaim'), 'claimName', []));
  } else for (const why of dns1123Label(name)) check.invalid(at('name'), name, why, 'builtin/name');
}

/** The controller puts its own volumes first, in place of those that have their names. */
function placedVolumes(spec: Fields, { added = [] }: PodOptions): Fields[] {
  const own = new Set(added);
  const left = spec.items('volumes').filter((volume) => !own.has(volume.text('name')));
  if (own.size === 0) return left;
  return left.map((volume, i) => new Fields(spec.check, volume.map, { ...volume.spot, field: `[${i + own.size}]` }));
}

const sources: Sources = {
  emptyDir: {
    validate: (dir) => {
      const limit = quantityIn(dir, 'sizeLimit');
      if (!limit || quantitySign(limit) >= 0) return;
      dir.check.forbidden(dir.at('sizeLimit'), 'SizeLimit field must be a valid resource quantity');
    },
  },
  hostPath: { validate: validateHostPath },
  gitRepo: {
    required: ['repository'],
    validate: (repo) => {
      const folder = repo.text('directory');
      repo.wrong(repo.at('directory'), folder, relativePath(folder));
    },
  },
  ...networkSources(['gcePersistentDisk', 'awsElasticBlockStore']),
  secret: { required: ['secretName'], validate: validateFiles },
  ...networkSources(['nfs', 'iscsi', 'glusterfs', 'flocker']),
  persistentVolumeClaim: { required: ['claimName'] },
  ...networkSources(['rbd', 'cinder', 'cephfs', 'quobyte']),
  downwardAPI: { refused: 'downwarAPI', validate: validateDownward },
  ...networkSources(['fc', 'flexVolume']),
  configMap: { required: ['name'], validate: validateFiles },
  ...networkSources(['azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk', 'storageos']),
  projected: { validate: validateProjected },
  ...networkSources(['scaleIO']),
  csi: { validate: validateCsi },
  ephemeral: { validate: validateEphemeral },
  image: { validate: validateImage },
};

function validateVolume(volume: Fields, options: PodOptions): void {
  validateSources(volume, sources);
  initiatorLength(volume);
  const { check } = volume;
  const name = volume.text('name');
  const first = Object.keys(sources).find((kind) => volume.has(kind));
  if (first === 'ephemeral' && options.name !== '' && name !== '') {
    const claim = `${options.name}-${name}`;
    for (const why of dns1123Subdomain(claim)) {
      check.invalid(volume.at('name'), name, `PVC name ${quote(claim)}: ${why}`, 'builtin/name');
    }
  }
  if (name === '') volume.required('name');
  else volume.wrong(volume.at('name'), name, dns1123Label(name), 'builtin/name');
}

/** At most one source; the server looks into the first alone. Says whether there is any. */
export function validateSources(volume: Fields, table: Sources): boolean {
  const given = Object.keys(table).filter((kind) => volume.has(kind));
  for (const [i, kind] of given.entries()) {
    const row = table[kind]!;
    if (i === 0 || row.always) validateSource(volume, kind, row);
    else {
      const at = child(volume.spot, row.refused ?? kind, [kind]);
      volume.check.forbidden(at, 'may not specify more than 1 volume type', 'builtin/one-of');
    }
  }
  return given.length > 0;
}

function validateSource(volume: Fields, kind: string, { field = kind, required = [], validate }: Source): void {
  const source = volume.object(kind, child(volume.spot, field, [kind]));
  for (const key of required) if (source.text(key) === '' && source.list(key).length === 0) source.required(key);
  validate?.(source, volume);
}

const hostPathTypes = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
];

export function validateHostPath(source: Fields): void {
  const path = source.text('path');
  if (path === '') {
    source.required('path');
    return;
  }
  source.wrong(source.at('path'), path, withoutParents(path));
  const type = source.text('type');
  if (!hostPathTypes.includes(type)) source.check.unsupported(source.at('type'), goString(type), hostPathTypes);
}

const modes = 'must be a number between 0 and 0777 (octal), both inclusive';

function validateMode(fields: Fields, key: string): void {
  const mode = fields.integer(key);
  if (mode !== undefined && (mode < 0n || mode > 0o777n)) fields.check.invalid(fields.at(key), mode, modes);
}

/** Files that are made of the keys of a ConfigMap or a Secret. */
function validateFiles(source: Fields): void {
  validateMode(source, 'defaultMode');
  for (const item of source.items('items')) validateKeyToPath(item);
}

function validateKeyToPath(item: Fields): void {
  if (item.text('key') === '') item.required('key');
  const path = item.text('path');
  if (path === '') item.required('path');
  item.wrong(item.at('path'), path, ownPath(path));
  validateMode(item, 'mode');
}

function validateDownward(source: Fields): void {
  validateMode(source, 'defaultMode');
  for (const file of source.items('items')) validateDownwardFile(file, source.spot);
}

/** The server leaves out which item it is. */
function validateDownwardFile(file: Fields, holder: FieldPath): void {
  const { check } = file;
  const one: FieldPath = { parent: holder, field: '', steps: file.spot.parent!.steps.concat(file.spot.steps) };
  const at = (key: string) => child(one, key);
  const path = file.text('path');
  if (path === '') check.required(at('path'));
  file.wrong(at('path'), path, ownPath(path));
  const [field, resource] = [
    file.pointer('fieldRef', at('fieldRef')),
    file.pointer('resourceFieldRef', at('resourceFieldRef')),
  ];
  if (field) {
    validateFieldRef(field, ofVolumes);
    const why = 'fieldRef and resourceFieldRef can not be specified simultaneously';
    if (resource) check.invalid(one, 'resource', why, 'builtin/one-of');
  } else if (resource) validateResourceRef(resource, true);
  else
    check.required({ ...one, steps: [...one.steps, 'fieldRef'] }, 'one of fieldRef and resourceFieldRef is required');
  const mode = file.integer('mode');
  if (mode !== undefined && (mode < 0n || mode > 0o777n)) check.invalid(at('mode'), mode, modes);
}

const tenMinutes = 600n;
const longestToken = 1n << 32n;

function validateProjected(projected: Fields): void {
  const { check, spot } = projected;
  validateMode(projected, 'defaultMode');
  const paths = new Set<string>();
  const once = (path: string, shown: string, steps: FieldPath) => {
    if (path === '') return;
    if (paths.has(path))
      check.invalid({ parent: spot, field: '', steps: steps.steps }, shown, 'conflicting duplicate paths');
    paths.add(path);
  };
  for (const source of projected.items('sources')) {
    let count = 0;
    for (const kind of ['secret', 'configMap']) {
      const files = source.pointer(kind);
      if (!files) continue;
      count++;
      const name = files.text('name');
      if (name === '') files.required('name');
      for (const item of files.items('items')) {
        validateKeyToPath(item);
        once(item.text('path'), name, { ...spot, steps: ['sources', ...source.spot.steps, kind] });
      }
    }
    const downward = source.pointer('downwardAPI');
    if (downward) {
      count++;
      for (const file of downward.items('items')) {
        validateDownwardFile(file, downward.spot);
        once(file.text('path'), file.text('path'), {
          ...spot,
          steps: ['sources', ...source.spot.steps, 'downwardAPI'],
        });
      }
    }
    const token = source.pointer('serviceAccountToken');
    if (token) {
      count++;
      validateToken(token, spot);
    }
    if (source.has('clusterTrustBundle') && check.version.builtin.trustBundles) count++;
    if (source.has('podCertificate') && check.version.builtin.podCertificates) count++;
    if (count > 1) {
      check.forbidden(source.spot, 'may not specify more than 1 volume type per source', 'builtin/one-of');
    }
  }
}

/** Errors about its path name the volume. */
function validateToken(token: Fields, projected: FieldPath): void {
  const { check } = token;
  const seconds = token.integer('expirationSeconds') ?? 3600n;
  const spot = token.at('expirationSeconds');
  if (seconds < tenMinutes) check.invalid(spot, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > longestToken) check.invalid(spot, seconds, 'may not specify a duration larger than 2^32 seconds');
  const steps = ['sources', ...token.spot.parent!.steps, 'serviceAccountToken', 'path'];
  const at = child(projected, 'path', steps);
  const path = token.text('path');
  if (path === '') check.required(at);
  else token.wrong(at, path, ownPath(path));
}

/** The name of a driver: a domain, capital letters or not. */
export function validateDriver(csi: Fields): void {
  const name = csi.text('driver');
  if (name === '') {
    csi.required('driver');
    return;
  }
  if (new TextEncoder().encode(name).length > 63) csi.check.tooLong(csi.at('driver'), 63);
  csi.wrong(csi.at('driver'), name, dns1123Subdomain(name.toLowerCase()), 'builtin/name');
}

function validateCsi(csi: Fields): void {
  validateDriver(csi);
  const ref = csi.pointer('nodePublishSecretRef');
  if (!ref) return;
  const name = ref.text('name');
  if (name === '') ref.required('name');
  else
    csi.wrong(child(csi.spot, 'name', ['nodePublishSecretRef', 'name']), name, dns1123Subdomain(name), 'builtin/name');
}

function validateEphemeral(ephemeral: Fields): void {
  const template = ephemeral.pointer('volumeClaimTemplate');
  if (!template) ephemeral.required('volumeClaimTemplate');
  else validateClaimTemplate(template);
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

function validateImage(image: Fields): void {
  const { imageVolumes } = image.version.builtin;
  if (imageVolumes === 'referenced' && image.text('reference') === '') image.required('reference');
  const policy = image.text('pullPolicy');
  if (policy !== '' && !pullPolicies.includes(policy)) {
    image.check.unsupported(image.at('pullPolicy'), goString(policy), pullPolicies);
  }
}
