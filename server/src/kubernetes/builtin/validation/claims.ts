import { quantitySign, quantityText } from '../../../gostd/quantity.ts';
import { key as keyed } from '../../field.ts';
import { goString } from '../../goValue.ts';
import { dns1123Subdomain, qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { quantitiesOf, validateQuantity } from './resources.ts';
import { validateLabelSelector, validateLabels } from './selectors.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes = ['Block', 'Filesystem'];

/** Errors about one mode name the whole list. */
export function validateAccessModes(spec: Fields): void {
  const { check } = spec;
  const [modes, list] = [spec.texts('accessModes'), spec.at('accessModes')];
  for (const [i, mode] of modes.entries()) {
    if (!accessModes.includes(mode)) {
      check.unsupported({ parent: list, field: '', steps: [i] }, goString(mode), accessModes);
    }
  }
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode));
  if (others && modes.includes('ReadWriteOncePod')) {
    check.forbidden(list, 'may not use ReadWriteOncePod with other access modes');
  }
}

export function className(spec: Fields, key: string): void {
  const name = spec.text(key);
  if (name !== '') spec.wrong(spec.at(key), name, dns1123Subdomain(name), 'builtin/name');
}

export function volumeMode(spec: Fields): void {
  const mode = spec.pointed('volumeMode');
  if (mode === undefined || volumeModes.includes(mode)) return;
  spec.check.unsupported(spec.at('volumeMode'), goString(mode), volumeModes);
}

export function validateClaim(claim: Fields): void {
  const spec = claim.object('spec');
  spec.part(() => validateClaimSpec(spec));
}

export function validateClaimSpec(spec: Fields): void {
  spec.part(() => {
    if (spec.list('accessModes').length === 0) spec.required('accessModes', 'at least 1 access mode is required');
  });
  spec.within('selector', validateLabelSelector);
  spec.part(() => validateAccessModes(spec));
  spec.part(() => requestedStorage(spec));
  spec.part(() => className(spec, 'storageClassName'));
  spec.part(() => volumeMode(spec));
  spec.part(() => {
    if (spec.version.builtin.volumeAttributes) className(spec, 'volumeAttributesClassName');
  });
}

/** Errors name the resources. */
function requestedStorage(spec: Fields): void {
  const storage = quantitiesOf(spec.object('resources'), 'requests').get('storage');
  const resources = spec.at('resources');
  if (!storage) {
    const spot = { ...keyed(resources, 'storage'), steps: ['requests', 'storage'] };
    spec.check.required(
      spec.map.has('resources')
        ? spot
        : { ...spot, parent: spec.spot, field: '.resources[storage]', steps: ['resources'] },
    );
    return;
  }
  const spot = { ...keyed(resources, 'storage'), steps: ['requests', 'storage'] };
  if (quantitySign(storage) <= 0) {
    spec.check.invalid(spot, quantityText(storage), 'must be greater than zero', 'builtin/resources');
  } else validateQuantity(spec.check, spot, 'storage', storage);
}

/** The metadata of a template may have labels and annotations alone. */
export function validateClaimTemplate(template: Fields): void {
  const meta = template.object('metadata');
  for (const name of meta.textMap('annotations')?.keys() ?? []) {
    const spot = { parent: meta.at('annotations'), field: '', steps: [name] };
    meta.wrong(spot, name, qualifiedName(name.toLowerCase(), meta.version), 'builtin/name');
  }
  validateLabels(meta, 'labels');
  for (const [key, value] of meta.map) {
    if (['labels', 'annotations', 'creationTimestamp'].includes(key) || !isSet(meta.check.read(value))) continue;
    meta.check.forbidden(meta.at(key), 'cannot be set');
  }
  validateClaimSpec(template.object('spec'));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== 0n;
}
