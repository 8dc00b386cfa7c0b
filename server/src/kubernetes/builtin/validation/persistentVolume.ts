import { isMap } from '../../../base/value.ts';
import { cleanPath } from '../../../gostd/path.ts';
import { quantitySign, quantityText } from '../../../gostd/quantity.ts';
import { child, key as keyed } from '../../field.ts';
import { type GoValue, goAny, goString } from '../../goValue.ts';
import { dns1123Label, dns1123Subdomain } from '../../names.ts';
import type { Fields } from './check.ts';
import { className, validateAccessModes, volumeMode } from './claims.ts';
import { goQuantity, wholeValue } from './goTexts.ts';
import { networkSources, type Sources } from './networkVolumes.ts';
import { quantitiesOf } from './resources.ts';
import { validateNodeSelector } from './scheduling.ts';
import { withoutParents } from './texts.ts';
import { validateDriver, validateHostPath, validateSources } from './volumes.ts';

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];

const secretRefs = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

const sources: Sources = {
  hostPath: { validate: validateHostPath },
  ...networkSources(['gcePersistentDisk', 'awsElasticBlockStore']),
  glusterfs: { required: ['endpoints', 'path'] },
  ...networkSources(['flocker', 'nfs', 'rbd', 'quobyte', 'cephfs']),
  iscsi: { required: ['targetPortal', 'iqn'] },
  cinder: { required: ['volumeID'] },
  ...networkSources(['fc']),
  flexVolume: { ...networkSources(['flexVolume']).flexVolume, always: true },
  azureFile: {
    required: ['secretName', 'shareName'],
    validate: (file) => {
      if (file.pointed('secretNamespace') === '') file.required('secretNamespace');
    },
  },
  ...networkSources(['vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk', 'scaleIO']),
  local: {
    validate: (local, volume) => {
      const path = local.text('path');
      if (path === '') local.required('path');
      else local.wrong(local.at('path'), path, withoutParents(path));
      if (!volume.has('nodeAffinity')) volume.required('nodeAffinity', 'Local volume requires node affinity');
    },
  },
  storageos: { required: ['volumeName'] },
  csi: {
    validate: (csi) => {
      validateDriver(csi);
      if (csi.text('volumeHandle') === '') csi.required('volumeHandle');
      for (const key of secretRefs) csi.within(key, secretRef);
    },
  },
};

/** The kinds of what a volume can be. */
export const persistentSources: readonly string[] = Object.keys(sources);

function secretRef(ref: Fields): void {
  const [name, namespace] = [ref.text('name'), ref.text('namespace')];
  if (name === '') ref.required('name');
  else ref.wrong(ref.at('name'), name, dns1123Subdomain(name), 'builtin/name');
  if (namespace === '') ref.required('namespace');
  else ref.wrong(ref.at('namespace'), namespace, dns1123Label(namespace), 'builtin/name');
}

export function validatePersistentVolume(volume: Fields): void {
  const spec = volume.object('spec');
  spec.part(() => {
    if (spec.list('accessModes').length === 0) spec.required('accessModes');
  });
  spec.part(() => validateAccessModes(spec));
  spec.part(() => capacity(spec));
  spec.part(() => {
    const policy = spec.text('persistentVolumeReclaimPolicy');
    const spot = spec.at('persistentVolumeReclaimPolicy');
    if (policy !== '' && !reclaimPolicies.includes(policy)) {
      spec.check.unsupported(spot, goString(policy), reclaimPolicies);
    }
    const path = spec.pointer('hostPath')?.text('path');
    if (path !== undefined && cleanPath(path) === '/' && policy === 'Recycle') {
      spec.check.forbidden(spot, "may not be 'recycle' for a hostPath mount of '/'");
    }
  });
  spec.within('nodeAffinity', (affinity) => {
    const found = affinity.within('required', validateNodeSelector);
    if (!found) affinity.required('required', 'must specify required node constraints');
  });
  spec.part(() => {
    if (!validateSources(spec, sources)) spec.check.required(spec.spot, 'must specify a volume type');
  });
  volume.part(() => mountOptions(volume, spec));
  spec.part(() => className(spec, 'storageClassName'));
  spec.part(() => volumeMode(spec));
  spec.part(() => attributesClass(spec));
}

const optionsAnnotation = 'volume.beta.kubernetes.io/mount-options';
const withOptions = [
  ...['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'cinder', 'cephfs'],
  ...['azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'],
];

/** Only volumes of a few kinds are mounted with options that an annotation has. */
function mountOptions(object: Fields, spec: Fields): void {
  const meta = object.object('metadata');
  if (!meta.textMap('annotations')?.has(optionsAnnotation) || withOptions.some((kind) => spec.has(kind))) return;
  const spot = child(meta.at('annotations'), optionsAnnotation);
  object.check.forbidden(spot, 'may not specify mount options for this volume type');
}

function capacity(spec: Fields): void {
  const { check } = spec;
  const amounts = quantitiesOf(spec, 'capacity');
  const spot = spec.at('capacity');
  if (amounts.size === 0) check.required(spot);
  if (!amounts.has('storage') || amounts.size > 1) {
    const entries = [...amounts].map(([name, amount]): [string, GoValue] => [name, goQuantity(amount)]);
    const type = 'core.ResourceList';
    const list: GoValue = { go: 'map', type, entries };
    const shown: GoValue = isMap(spec.value('capacity'))
      ? { go: 'own', json: list, syntax: amounts.size === 0 ? `${type}{}` : '{…}' }
      : { go: 'nil', type };
    check.unsupported(spot, shown, ['storage']);
  }
  for (const [name, amount] of amounts) {
    const at = keyed(spot, name);
    const whole = wholeValue(amount);
    if (whole < 0n) check.invalid(at, goAny(whole), 'must be a valid resource quantity', 'builtin/resources');
    if (quantitySign(amount) <= 0) {
      check.invalid(at, quantityText(amount), 'must be greater than zero', 'builtin/resources');
    }
  }
}

function attributesClass(spec: Fields): void {
  const name = spec.pointed('volumeAttributesClassName');
  if (name === undefined || !spec.version.builtin.volumeAttributes) return;
  if (name === '') spec.required('volumeAttributesClassName', 'an empty string is disallowed');
  else className(spec, 'volumeAttributesClassName');
  if (!spec.has('csi')) spec.required('csi', 'has to be specified when using volumeAttributesClassName');
}
