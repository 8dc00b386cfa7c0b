import { byteLength } from '../../../gostd/bytes.ts';
import { child, type FieldPath, pathOf } from '../../field.ts';
import { goAny, goString } from '../../goValue.ts';
import { labelValue, qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { validateLabelKey } from './selectors.ts';

// Kinds of which there is little to validate.

export function validateLease(object: Fields): void {
  const spec = object.object('spec');
  const [duration, transitions] = [spec.integer('leaseDurationSeconds'), spec.integer('leaseTransitions')];
  if (duration !== undefined && duration <= 0n) {
    spec.check.invalid(spec.at('leaseDurationSeconds'), goAny(duration), 'must be greater than 0');
  }
  if (transitions !== undefined && transitions < 0n) {
    spec.check.invalid(spec.at('leaseTransitions'), goAny(transitions), 'must be greater than or equal to 0');
  }
}

const highestPriority = 1_000_000_000n;
const preemptionPolicies = ['PreemptLowerPriority', 'Never'];
const systemPriorities: ReadonlyMap<string, bigint> = new Map([
  ['system-node-critical', 2_000_001_000n],
  ['system-cluster-critical', 2_000_000_000n],
]);

export function validatePriorityClass(object: Fields): void {
  const { check } = object;
  object.part(() => {
    const name = object.object('metadata').text('name');
    const value = object.integer('value') ?? 0n;
    if (name.startsWith('system-')) {
      const fault = systemFault(name, value, object.isTrue('globalDefault'));
      if (fault === undefined) return;
      const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${fault}`;
      check.forbidden(child(object.at('metadata'), 'name'), why);
    } else if (value > highestPriority) {
      check.forbidden(object.at('value'), `maximum allowed value of a user defined priority is ${highestPriority}`);
    }
  });
  object.part(() => {
    const policy = object.pointed('preemptionPolicy');
    if (policy === undefined || preemptionPolicies.includes(policy)) return;
    if (policy === '') return object.required('preemptionPolicy');
    check.unsupported(object.at('preemptionPolicy'), goString(policy), preemptionPolicies);
  });
}

function systemFault(name: string, value: bigint, isDefault: boolean): string | undefined {
  const wanted = systemPriorities.get(name);
  if (wanted === undefined) return `${name} is not a known system priority class`;
  if (wanted !== value) return `value of ${name} PriorityClass must be ${wanted}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];
const mostParameters = 512;
const mostParameterBytes = 256 * 1024;

export function validateStorageClass(object: Fields): void {
  const { check } = object;
  object.part(() => {
    const name = object.text('provisioner');
    if (name === '') return object.required('provisioner');
    const lower = name.toLowerCase();
    object.wrong(object.at('provisioner'), lower, qualifiedName(lower, check.version), 'builtin/name');
  });
  object.part(() => parameters(object));
  object.part(() => {
    const policy = object.text('reclaimPolicy');
    if (policy === '' || reclaimPolicies.includes(policy)) return;
    check.unsupported(object.at('reclaimPolicy'), goString(policy), reclaimPolicies);
  });
  object.part(() => {
    const mode = object.pointed('volumeBindingMode');
    if (mode === undefined || bindingModes.includes(mode)) return;
    check.unsupported(object.at('volumeBindingMode'), goString(mode), bindingModes);
  });
  object.each('allowedTopologies', topology);
  object.part(() => topologiesTwice(object));
}

function parameters(object: Fields): void {
  const all = object.textMap('parameters');
  if (!all) return;
  const [{ check }, spot] = [object, object.at('parameters')];
  if (all.size > mostParameters) {
    check.tooLong(spot, mostParameters);
    return;
  }
  let size = 0;
  for (const [name, value] of all) {
    if (name === '') check.invalid({ parent: spot, field: '', steps: [name] }, name, 'field can not be empty.');
    size += byteLength(name) + byteLength(value);
  }
  if (size > mostParameterBytes) check.tooLong(spot, mostParameterBytes);
}

/** Terms that say the same; by an oversight upstream an empty one is the same as each that is still to come. */
function topologiesTwice(object: Fields): void {
  const terms = object.items('allowedTopologies');
  const seen = new Map<string, number>([['[]', terms.length]]);
  for (const term of terms) {
    const rows = term.items('matchLabelExpressions').map((one): [string, string[]] => {
      return [one.text('key'), [...new Set(one.texts('values'))].sort()];
    });
    const text = JSON.stringify([...new Map(rows)].sort());
    for (let i = 0; i < (seen.get(text) ?? 0); i++) object.check.duplicate(term.at('matchLabelExpressions'), '');
    seen.set(text, (seen.get(text) ?? 0) + 1);
  }
}

function topology(term: Fields): void {
  const { check } = term;
  const keys = new Set<string>();
  for (const one of term.items('matchLabelExpressions')) {
    const [key, values] = [one.text('key'), one.texts('values')];
    if (values.length === 0) one.required('values');
    const seen = new Set<string>();
    for (const [i, value] of values.entries()) {
      const spot = { parent: one.at('values'), field: `[${i}]`, steps: [i] };
      if (seen.has(value)) check.duplicate(spot, value);
      seen.add(value);
    }
    validateLabelKey(check, one.at('key'), key);
    if (keys.has(key)) check.duplicate(one.at('key'), key);
    keys.add(key);
  }
}

/** The names of finalizers that a namespace has of its own. */
const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** The server gives it its name as a label, which is no mistake of its own. */
function labelOfNamespace(object: Fields): void {
  const metadata = object.object('metadata');
  const name = metadata.text('name');
  const spot: FieldPath = { parent: undefined, field: 'metadata.labels', steps: pathOf(metadata.at('name')) };
  object.wrong(spot, name, labelValue(name, object.version), 'builtin/follows');
}

export function validateNamespace(object: Fields): void {
  object.part(() => labelOfNamespace(object));
  const spec = object.object('spec');
  const spot = spec.at('finalizers');
  for (const [i, name] of spec.texts('finalizers').entries()) {
    const at = { parent: spot, field: '', steps: [i] };
    spec.wrong(at, name, qualifiedName(name, spec.version), 'builtin/name');
    if (name.includes('/') || standardFinalizers.includes(name)) continue;
    spec.check.invalid(at, name, 'name is neither a standard finalizer name nor is it fully qualified');
  }
}
