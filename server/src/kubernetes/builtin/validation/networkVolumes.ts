import { byteLength } from '../../../gostd/bytes.ts';
import { key as keyed } from '../../field.ts';
import { goAny, goString, goStrings } from '../../goValue.ts';
import { dns1123Label } from '../../names.ts';
import type { Fields } from './check.ts';
import { between } from './texts.ts';

// Volumes of storage systems, most of which have a driver of their own by now. Pods and PersistentVolumes name them alike.

/** How one kind of source is validated. */
export interface Source {
  /** What errors in it call it, where that is not its name. */
  readonly field?: string;
  /** What the error calls it that refuses it beside another. */
  readonly refused?: string;
  /** Texts and lists that may not be empty. */
  readonly required?: readonly string[];
  readonly validate?: (source: Fields, volume: Fields) => void;
  /** The server takes it for one whatever is beside it. */
  readonly always?: true;
}

export type Sources = Readonly<Record<string, Source>>;

const all = {
  gcePersistentDisk: { field: 'persistentDisk', required: ['pdName'], validate: partition },
  awsElasticBlockStore: { required: ['volumeID'], validate: partition },
  nfs: {
    required: ['server', 'path'],
    validate: (nfs: Fields) => {
      const path = nfs.text('path');
      if (!path.startsWith('/')) nfs.check.invalid(nfs.at('path'), path, 'must be an absolute path');
    },
  },
  iscsi: { required: ['targetPortal'], validate: iscsi },
  glusterfs: { required: ['endpoints', 'path'] },
  flocker: { validate: flocker },
  rbd: { required: ['monitors', 'image'] },
  cinder: { required: ['volumeID'], validate: secretName },
  cephfs: { refused: 'cephFS', required: ['monitors'] },
  quobyte: {
    required: ['volume'],
    validate: (source: Fields) => {
      const why = 'must be a host:port pair or multiple pairs separated by commas';
      if (source.text('registry') === '') source.required('registry', why);
    },
  },
  fc: { validate: fibreChannel },
  flexVolume: { required: ['driver'], validate: flexOptions },
  azureFile: { required: ['secretName', 'shareName'] },
  vsphereVolume: { required: ['volumePath'] },
  photonPersistentDisk: { required: ['pdID'] },
  portworxVolume: { required: ['volumeID'] },
  azureDisk: { required: ['diskName', 'diskURI'], validate: azureDisk },
  storageos: { required: ['volumeName'], validate: storageOs },
  scaleIO: { required: ['gateway', 'system', 'volumeName'] },
} satisfies Sources;

export type NetworkSource = keyof typeof all;

export function networkSources(names: readonly NetworkSource[]): Sources {
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

function partition(disk: Fields): void {
  const number = disk.integer('partition') ?? 0n;
  if (number < 0n || number > 255n) disk.check.invalid(disk.at('partition'), number, between(1, 255));
}

function lun(disk: Fields): void {
  const number = disk.integer('lun') ?? 0n;
  if (number < 0n || number > 255n) disk.check.invalid(disk.at('lun'), number, between(0, 255));
}

const initiators: readonly (readonly [starts: string, form: RegExp])[] = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.([a-zA-Z0-9.-]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[a-zA-Z0-9]{16}$/],
  ['naa', /^naa.[a-zA-Z0-9]{32}$/],
];

function initiatorFault(name: string): string | undefined {
  const row = initiators.find(([starts]) => name.startsWith(starts));
  if (!row) return 'must be valid format starting with iqn, eui, or naa';
  return row[1].test(name) ? undefined : 'must be valid format';
}

function iscsi(disk: Fields): void {
  const { check } = disk;
  const [iqn, initiator] = [disk.text('iqn'), disk.pointed('initiatorName')];
  if (iqn === '') disk.required('iqn');
  const fault = iqn === '' ? undefined : initiatorFault(iqn);
  if (fault !== undefined) check.invalid(disk.at('iqn'), iqn, fault);
  lun(disk);
  const asks = disk.isTrue('chapAuthDiscovery') || disk.isTrue('chapAuthSession');
  if (asks && !disk.has('secretRef')) disk.required('secretRef');
  if (initiator === undefined) return;
  const why = initiatorFault(initiator);
  const at = { ...disk.at('initiatorName'), field: '.initiatorname' };
  if (why !== undefined) check.invalid(at, initiator, why);
}

/** How an initiator names a volume has to be short, whatever else is wrong with the disk. */
export function initiatorLength(volume: Fields): void {
  const disk = volume.pointer('iscsi');
  if (!disk?.has('initiatorName')) return;
  if (byteLength(`${volume.text('name')}:${disk.text('targetPortal')}`) <= 64) return;
  const tooLong =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  volume.check.invalid(volume.at('name'), volume.text('name'), tooLong);
}

function flocker(source: Fields): void {
  const { check } = source;
  const [name, uuid] = [source.text('datasetName'), source.text('datasetUUID')];
  if (name === '' && uuid === '') check.required(source.spot, 'one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') {
    const why = 'datasetName and datasetUUID can not be specified simultaneously';
    check.invalid(source.spot, 'resource', why, 'builtin/one-of');
  }
  if (name.includes('/')) check.invalid(source.at('datasetName'), name, "must not contain '/'");
}

function fibreChannel(source: Fields): void {
  const { check } = source;
  const [names, ids] = [source.texts('targetWWNs'), source.list('wwids')];
  if (names.length === 0 && ids.length === 0) {
    source.required('targetWWNs', 'must specify either targetWWNs or wwids, but not both');
  }
  if (names.length > 0 && ids.length > 0) {
    const why = 'targetWWNs and wwids can not be specified simultaneously';
    check.invalid(source.at('targetWWNs'), goStrings(names), why, 'builtin/one-of');
  }
  if (names.length === 0) return;
  const number = source.integer('lun');
  if (number === undefined) source.required('lun', 'lun is required if targetWWNs is specified');
  else if (number < 0n || number > 255n) check.invalid(source.at('lun'), goAny(number), between(0, 255));
}

const reserved = ['.kubernetes.io', '.k8s.io'];

function flexOptions(source: Fields): void {
  for (const name of source.textMap('options')?.keys() ?? []) {
    const domain = `.${name.split('/', 1)[0]!.toLowerCase()}`;
    if (!reserved.some((end) => domain.endsWith(end))) continue;
    const spot = keyed(source.at('options'), name);
    source.check.invalid(spot, name, 'kubernetes.io and k8s.io namespaces are reserved');
  }
}

function secretName(source: Fields): void {
  const ref = source.pointer('secretRef');
  if (ref && ref.text('name') === '') ref.required('name');
}

const caching = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds = ['Dedicated', 'Managed', 'Shared'];
const managed = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blob = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

function azureDisk(disk: Fields): void {
  const { check } = disk;
  const [mode, kind, uri] = [disk.pointed('cachingMode'), disk.pointed('kind') ?? 'Shared', disk.text('diskURI')];
  if (mode !== undefined && !caching.includes(mode)) check.unsupported(disk.at('cachingMode'), goString(mode), caching);
  if (!diskKinds.includes(kind)) check.unsupported(disk.at('kind'), goString(kind), diskKinds);
  const [start, form] = kind === 'Managed' ? ['/subscriptions/', managed] : ['https://', blob];
  if (!uri.startsWith(start)) check.unsupported(disk.at('diskURI'), uri, [form]);
}

function storageOs(source: Fields): void {
  const [name, namespace] = [source.text('volumeName'), source.text('volumeNamespace')];
  if (name !== '') source.wrong(source.at('volumeName'), name, dns1123Label(name), 'builtin/name');
  if (namespace !== '') source.wrong(source.at('volumeNamespace'), namespace, dns1123Label(namespace), 'builtin/name');
  secretName(source);
}
