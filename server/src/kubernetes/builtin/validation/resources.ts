import { isMap } from '../../../base/value.ts';
import { compareQuantities, type Quantity, quantitySign, quantityText } from '../../../gostd/quantity.ts';
import { child, type FieldPath, index, key } from '../../field.ts';
import { goString } from '../../goValue.ts';
import { dns1123Label } from '../../names.ts';
import type { Check, Fields } from './check.ts';
import { goQuantity, goResourceName, quantityOf, roundedUp, wholeValue } from './goTexts.ts';
import type { PodContext } from './podContext.ts';
import {
  anyResource,
  containerResource,
  isInteger,
  isOvercommitted,
  isPages,
  type NameRule,
  pagesPrefix,
} from './resourceNames.ts';

export type Quantities = ReadonlyMap<string, Quantity>;

/** A list of resources: names and quantities, as the server rounds them. What is not known is not in it. */
export function quantitiesOf(fields: Fields, name: string): Quantities {
  const value = fields.value(name);
  const found = new Map<string, Quantity>();
  if (!isMap(value)) return found;
  for (const [resource, written] of value) {
    const quantity = quantityOf(fields.check.read(written)) ?? zero;
    found.set(resource, roundedUp(quantity));
  }
  return found;
}

const zero: Quantity = { unscaled: 0n, scale: 0, big: false, format: 'decimal' };

/** A quantity that has to be above or at zero, and of what is counted a whole number. */
export function validateQuantity(check: Check, spot: FieldPath, name: string, quantity: Quantity): void {
  if (quantitySign(quantity) < 0) {
    check.invalid(spot, quantityText(quantity), 'must be greater than or equal to 0', 'builtin/resources');
  }
  if (isInteger(name, check.version) && quantity.scale < 0 && wholeValue(quantity) * 1000n !== thousandths(quantity)) {
    check.invalid(spot, goQuantity(quantity), 'must be an integer', 'builtin/resources');
  }
}

function thousandths({ unscaled, scale }: Quantity): bigint {
  return wholeValue({ unscaled, scale: scale + 3, big: false, format: 'decimal' });
}

/** The requests and limits of a container. */
export function validateResources(resources: Fields, context: PodContext): void {
  resources.part(() => requestsAndLimits(resources, containerResource, context.isPod));
  resources.part(() => claimNames(resources, context));
}

/** For a pod the server takes a limit for the request where there is none. */
function requestsAndLimits(resources: Fields, rule: NameRule, fillsIn: boolean): void {
  const { check } = resources;
  const [limits, written] = [quantitiesOf(resources, 'limits'), quantitiesOf(resources, 'requests')];
  const requests = fillsIn ? new Map([...limits, ...written]) : written;
  const spots = { limits: resources.at('limits'), requests: resources.at('requests') };
  for (const [name, quantity] of limits) oneResource(check, key(spots.limits, name), name, quantity, rule);
  for (const [name, quantity] of requests) {
    const spot = written.has(name) ? key(spots.requests, name) : { ...key(spots.requests, name), steps: [] };
    oneResource(check, spot, name, quantity, rule);
    againstLimit(check, spots, name, quantity, limits.get(name));
  }
  const all = new Set([...limits.keys(), ...requests.keys()]);
  if ([...all].some(isPages) && !all.has('cpu') && !all.has('memory')) {
    check.forbidden(resources.spot, 'HugePages require cpu or memory', 'builtin/resources');
  }
}

function oneResource(check: Check, spot: FieldPath, name: string, quantity: Quantity, rule: NameRule): void {
  for (const why of rule(name, check.version)) check.invalid(spot, goResourceName(name), why, 'builtin/resources');
  validateQuantity(check, spot, name, quantity);
  if (!isPages(name)) return;
  const size = quantityOf(name.slice(pagesPrefix.length));
  const isWhole = size && quantitySign(size) > 0 && wholeValue(quantity) % wholeValue(size) === 0n;
  if (isWhole) return;
  const text = quantityText(quantity);
  check.invalid(spot, text, `${text} is not positive integer multiple of ${name}`, 'builtin/resources');
}

/** The server names the requests; it is told at the one. */
function againstLimit(
  check: Check,
  spots: { readonly limits: FieldPath; readonly requests: FieldPath },
  name: string,
  quantity: Quantity,
  limit: Quantity | undefined,
): void {
  const spot: FieldPath = { parent: spots.requests, field: '', steps: [name] };
  if (!limit) {
    if (!isOvercommitted(name)) check.required(spots.limits, 'Limit must be set for non overcommitable resources');
    return;
  }
  const [order, text] = [compareQuantities(quantity, limit), quantityText(quantity)];
  if (order !== 0 && !isOvercommitted(name)) {
    check.invalid(spot, text, `must be equal to ${name} limit of ${quantityText(limit)}`, 'builtin/resources');
  } else if (order > 0) {
    check.invalid(
      spot,
      text,
      `must be less than or equal to ${name} limit of ${quantityText(limit)}`,
      'builtin/resources',
    );
  }
}

function claimNames(resources: Fields, { claims }: PodContext): void {
  const { check } = resources;
  if (!check.version.builtin.resourceClaims) return;
  const seen = new Set<string>();
  for (const claim of resources.items('claims')) {
    const [name, request] = [claim.text('name'), claim.text('request')];
    if (name === '') {
      check.required(claim.spot);
      continue;
    }
    if (seen.has(name)) check.duplicate(claim.spot, name);
    else {
      const full = request === '' ? name : `${name}/${request}`;
      if (request !== '') claim.wrong(claim.at('request'), request, dns1123Label(request), 'builtin/name');
      if (seen.has(full)) check.duplicate(claim.spot, full);
      else if (request === '') {
        for (const other of seen) if (other.startsWith(`${name}/`)) check.duplicate(claim.spot, name);
      }
      seen.add(full);
    }
    if (claims && !claims.includes(name)) {
      const names = [...new Set(claims)].sort();
      const which = names.length === 0 ? ' which is empty' : `: ${names.join(', ')}`;
      check.notFound(claim.spot, name, names, `must be one of the names in pod.spec.resourceClaims${which}`);
    }
  }
}

/** Limits alone, such as what a pod costs beside its containers. */
export function validateOverhead(spec: Fields): void {
  const { check } = spec;
  const spot = child(spec.at('overhead'), 'limits', []);
  for (const [name, quantity] of quantitiesOf(spec, 'overhead')) {
    oneResource(check, key(spot, name), name, quantity, containerResource);
  }
  const names = [...quantitiesOf(spec, 'overhead').keys()];
  if (names.some(isPages) && !names.includes('cpu') && !names.includes('memory')) {
    check.forbidden(spec.at('overhead'), 'HugePages require cpu or memory', 'builtin/resources');
  }
}

const ofPods = ['cpu', pagesPrefix, 'memory'];

const podResource: NameRule = (name, version) => anyResource(name, version);

/** What all containers of a pod have together. */
export function validatePodResources(spec: Fields, context: PodContext): void {
  const resources = spec.pointer('resources');
  if (!resources) return;
  const { check } = spec;
  if (context.os === 'windows') {
    check.forbidden(resources.spot, 'may not be set for a windows pod');
    return;
  }
  if (resources.has('claims')) {
    check.forbidden(resources.at('claims'), 'claims may not be set for Resources at pod-level');
  }
  requestsAndLimits(resources, podResource, false);
  claimNames(resources, context);
  for (const list of ['limits', 'requests']) {
    for (const name of quantitiesOf(resources, list).keys()) {
      if (podResource(name, check.version).length > 0 || ofPods.some((one) => isOfPods(name, one))) continue;
      check.unsupported(key(resources.at(list), name), goResourceName(name), ofPods);
    }
  }
  const most = quantitiesOf(resources, 'limits');
  for (const [i, container] of spec.items('containers').entries()) limitsWithin(container, i, most, resources);
}

function isOfPods(name: string, one: string): boolean {
  return one === pagesPrefix ? name.startsWith(one) : name === one;
}

function limitsWithin(container: Fields, i: number, most: Quantities, resources: Fields): void {
  for (const [name, limit] of quantitiesOf(container.object('resources'), 'limits')) {
    const podLimit = most.get(name);
    if (!podLimit || compareQuantities(limit, podLimit) <= 0) continue;
    // The server makes up a path.
    const list = index(child(resources.spot, 'containers', []), i);
    const spot = child({ ...key(list, name), steps: [] }, 'limits', []);
    const why = `must be less than or equal to pod limits of ${quantityText(podLimit)}`;
    resources.check.invalid({ ...spot, steps: [] }, quantityText(limit), why, 'builtin/resources');
  }
}

const resizable = ['cpu', 'memory'];
const policies = ['NotRequired', 'RestartContainer'];

/** Findings about an entry name the whole list. */
export function validateResizePolicy(container: Fields, { restartPolicy }: PodContext): void {
  const { check } = container;
  if (check.version.builtin.resizePolicy === 'dropped') return;
  const list = container.at('resizePolicy');
  const seen = new Set<string>();
  for (const policy of container.items('resizePolicy')) {
    const [resource, restart] = [policy.text('resourceName'), policy.text('restartPolicy')];
    const spot: FieldPath = { parent: list, field: '', steps: policy.spot.steps };
    if (seen.has(resource)) check.duplicate(policy.spot, goResourceName(resource));
    seen.add(resource);
    if (resource === '') check.required({ ...spot, steps: [...spot.steps, 'resourceName'] });
    else if (!resizable.includes(resource)) check.unsupported(spot, goResourceName(resource), resizable);
    if (restart === '') check.required({ ...spot, steps: [...spot.steps, 'restartPolicy'] });
    else if (!policies.includes(restart)) check.unsupported(spot, goString(restart), policies);
    if (restartPolicy === 'Never' && restart !== 'NotRequired') {
      check.invalid(spot, goString(restart), check.version.builtin.resizePolicyText);
    }
  }
}
