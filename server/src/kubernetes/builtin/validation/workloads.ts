import { child, type FieldPath } from '../../field.ts';
import { goAny, goString } from '../../goValue.ts';
import { dns1123Label } from '../../names.ts';
import type { Fields } from './check.ts';
import { validateClaimSpec } from './claims.ts';
import { goIntOrString, goLabelSelector, goTextMap, type IntOrString, intOrString, wholeStruct } from './goTexts.ts';
import { ofTemplate, type PodOptions } from './podContext.ts';
import { validatePodTemplate, validateTemplateMetadata } from './podSpec.ts';
import { validateNotNegative } from './probes.ts';
import {
  isEmptySelector,
  labelsOfTemplate,
  labelsWanted,
  selectorOf,
  validateCopiedLabels,
  validateLabelSelector,
} from './selectors.ts';
import { percent } from './texts.ts';

const mismatch = '`selector` does not match template `labels`';

/** What a kind says of its selector. */
interface Selecting {
  /** What the kind is called where its selector is empty. */
  readonly called: string;
  /** What is said where the selector cannot be asked; undefined where nothing is. */
  readonly cannotAsk: string | undefined;
  readonly isRequired: boolean;
  /** An empty selector is not compared with the labels. */
  readonly comparesEmpty: boolean;
}

function validateSelector(spec: Fields, { called, cannotAsk, isRequired, comparesEmpty }: Selecting): void {
  const { check } = spec;
  const selector = spec.pointer('selector');
  if (!selector && isRequired) spec.required('selector');
  selector?.part(() => validateLabelSelector(selector));
  const isEmpty = selector !== undefined && isEmptySelector(selector.map);
  if (isEmpty)
    check.emptySelector(spec.at('selector'), goLabelSelector(selector), `empty selector is invalid for ${called}`);
  spec.part(() => {
    const selects = selectorOf(selector);
    if (!selects) {
      if (cannotAsk !== undefined) check.invalid(spec.at('selector'), goLabelSelector(selector), cannotAsk);
      return;
    }
    if (isEmpty && !comparesEmpty) return;
    const labels = spec.object('template').object('metadata').textMap('labels');
    if (selects(labels ?? new Map())) return;
    reportMismatch(spec, labels, selector);
  });
}

export function reportMismatch(
  spec: Fields,
  labels: ReadonlyMap<string, string> | undefined,
  selector: Fields | undefined,
): void {
  // Without a selector nothing fits: that it is missing has been said, and the server says this as well.
  const facts = { selector: labelsWanted(selector) };
  spec.check.mismatch(labelsOfTemplate(spec.at('template')), goTextMap(labels), mismatch, facts);
}

/** Pods of these kinds always start again. */
function startsAlways(template: Fields, kind: string): void {
  const spec = template.object('spec');
  spec.part(() => {
    const policy = spec.text('restartPolicy') || 'Always';
    if (policy !== 'Always') spec.check.unsupported(spec.at('restartPolicy'), goString(policy), ['Always']);
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    if (spec.has('activeDeadlineSeconds')) spec.check.forbidden(spec.at('activeDeadlineSeconds'), why);
  });
}

function template(spec: Fields, kind: string, options: PodOptions = ofTemplate): void {
  const fields = spec.object('template');
  fields.part(() => validatePodTemplate(fields, options));
  startsAlways(fields, kind);
}

export function validateDeployment(object: Fields): void {
  const spec = object.object('spec');
  for (const key of ['replicas', 'minReadySeconds', 'revisionHistoryLimit'])
    spec.part(() => validateNotNegative(spec, key));
  spec.part(() => validateSelector(spec, ofDeployment));
  if (canAsk(spec)) template(spec, 'ReplicaSet');
  spec.part(() => deploymentStrategy(spec));
  spec.part(() => {
    const seconds = spec.integer('progressDeadlineSeconds') ?? 600n;
    validateNotNegative(spec, 'progressDeadlineSeconds');
    if (seconds > (spec.integer('minReadySeconds') ?? 0n)) return;
    const why = 'must be greater than minReadySeconds';
    spec.check.invalid(spec.at('progressDeadlineSeconds'), goAny(seconds), why);
  });
}

const ofDeployment: Selecting = {
  called: 'deployment',
  cannotAsk: 'invalid label selector',
  isRequired: true,
  comparesEmpty: false,
};

/** Behind a selector that cannot be asked the server does not look at the template. */
function canAsk(spec: Fields): boolean {
  return spec.check.known(() => selectorOf(spec.pointer('selector')) !== undefined) ?? true;
}

export function validateReplicaSet(object: Fields): void {
  const spec = object.object('spec');
  for (const key of ['replicas', 'minReadySeconds']) spec.part(() => validateNotNegative(spec, key));
  spec.part(() => validateSelector(spec, ofDeployment));
  if (canAsk(spec)) template(spec, 'ReplicaSet');
}

export function validateDaemonSet(object: Fields): void {
  const spec = object.object('spec');
  spec.part(() =>
    validateSelector(spec, { called: 'daemonset', cannotAsk: undefined, isRequired: false, comparesEmpty: true }),
  );
  template(spec, 'DaemonSet');
  for (const key of ['minReadySeconds', 'revisionHistoryLimit']) spec.part(() => validateNotNegative(spec, key));
  spec.part(() => daemonStrategy(spec));
}

const podManagement = ['OrderedReady', 'Parallel'];
const retention = ['Retain', 'Delete'];

export function validateStatefulSet(object: Fields): void {
  const spec = object.object('spec');
  spec.part(() => {
    const policy = spec.text('podManagementPolicy');
    if (policy === '' || podManagement.includes(policy)) return;
    const why = "must be 'OrderedReady' or 'Parallel'";
    spec.check.invalid(spec.at('podManagementPolicy'), goString(policy), why);
  });
  spec.part(() => statefulStrategy(spec));
  spec.within('persistentVolumeClaimRetentionPolicy', (policy) => {
    for (const key of ['whenDeleted', 'whenScaled']) {
      const when = policy.text(key);
      if (when !== '' && !retention.includes(when)) policy.check.unsupported(policy.at(key), goString(when), retention);
    }
  });
  if (spec.version.builtin.claimTemplates) {
    spec.each('volumeClaimTemplates', (claim) => {
      const claimSpec = claim.object('spec');
      claimSpec.part(() => validateClaimSpec(claimSpec));
    });
  }
  for (const key of ['replicas', 'minReadySeconds']) spec.part(() => validateNotNegative(spec, key));
  spec.within('ordinals', (ordinals) => {
    const start = ordinals.integer('start') ?? 0n;
    const spot = child(spec.spot, 'ordinals.start', ['ordinals', 'start']);
    if (start < 0n) spec.check.invalid(spot, start, 'must be greater than or equal to 0');
  });
  spec.part(() => {
    const name = spec.text('serviceName');
    if (name === '' || !spec.version.builtin.statefulServiceNames) return;
    spec.wrong(spec.at('serviceName'), name, dns1123Label(name), 'builtin/name');
  });
  spec.part(() =>
    validateSelector(spec, { called: 'statefulset', cannotAsk: '', isRequired: true, comparesEmpty: false }),
  );
  if (canAsk(spec)) statefulTemplate(spec);
  else startsAlways(spec.object('template'), 'StatefulSet');
}

/** The controller mounts the claims that it makes, and gives each pod its name. */
function statefulTemplate(spec: Fields): void {
  const claims = spec.check.known(() =>
    spec.items('volumeClaimTemplates').map((claim) => claim.object('metadata').text('name')),
  );
  if (!claims) return;
  if (spec.version.builtin.statefulTemplates) {
    template(spec, 'StatefulSet', { ...ofTemplate, added: claims, namesHosts: true });
    const again = spec.object('template');
    again.part(() => validateTemplateMetadata(again));
    return;
  }
  const pod = spec.object('template');
  pod.part(() => validateTemplateMetadata(pod));
  startsAlways(pod, 'StatefulSet');
}

function deploymentStrategy(spec: Fields): void {
  const strategy = spec.object('strategy');
  const { check } = spec;
  const type = strategy.text('type') || 'RollingUpdate';
  if (type === 'Recreate') {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    if (strategy.has('rollingUpdate')) check.forbidden(strategy.at('rollingUpdate'), why);
  } else if (type !== 'RollingUpdate') {
    check.unsupportedAt(spec.at('strategy'), ['strategy', 'type'], wholeStruct, ['Recreate', 'RollingUpdate']);
  } else rollingDeployment(strategy.object('rollingUpdate'));
}

function rollingDeployment(rolling: Fields): void {
  const { check } = rolling;
  const most = intOrString(rolling, 'maxUnavailable') ?? '25%';
  const surge = intOrString(rolling, 'maxSurge') ?? '25%';
  intOrPercent(rolling.at('maxUnavailable'), most, rolling);
  intOrPercent(rolling.at('maxSurge'), surge, rolling);
  if (amountOf(most) === 0n && amountOf(surge) === 0n) {
    check.invalid(rolling.at('maxUnavailable'), goIntOrString(most), 'may not be 0 when `maxSurge` is 0');
  }
  atMostAll(rolling.at('maxUnavailable'), most, rolling);
}

function daemonStrategy(spec: Fields): void {
  const strategy = spec.object('updateStrategy');
  const type = strategy.text('type') || 'RollingUpdate';
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    const supported = ['RollingUpdate', 'OnDelete'];
    spec.check.unsupportedAt(spec.at('updateStrategy'), ['updateStrategy', 'type'], wholeStruct, supported);
    return;
  }
  const rolling = strategy.object('rollingUpdate');
  const { check } = rolling;
  const most = intOrString(rolling, 'maxUnavailable') ?? 1n;
  const surge = intOrString(rolling, 'maxSurge') ?? 0n;
  for (const [key, value] of [['maxUnavailable', most] as const, ['maxSurge', surge] as const]) {
    intOrPercent(rolling.at(key), value, rolling);
    atMostAll(rolling.at(key), value, rolling);
  }
  const [isUnavailable, isSurging] = [amountOf(most) !== 0n, amountOf(surge) !== 0n];
  if (isUnavailable && isSurging) {
    check.invalid(rolling.at('maxSurge'), goIntOrString(surge), 'may not be set when maxUnavailable is non-zero');
  } else if (!isUnavailable && !isSurging) rolling.required('maxUnavailable', 'cannot be 0 when maxSurge is 0');
}

function statefulStrategy(spec: Fields): void {
  const strategy = spec.object('updateStrategy');
  const { check } = spec;
  const type = strategy.text('type') || 'RollingUpdate';
  if (type === 'OnDelete') {
    const why = "only allowed for updateStrategy 'RollingUpdate'";
    if (strategy.has('rollingUpdate')) check.invalid(strategy.at('rollingUpdate'), wholeStruct, why);
  } else if (type !== 'RollingUpdate') {
    const why = "must be 'RollingUpdate' or 'OnDelete'";
    check.invalid({ ...spec.at('updateStrategy'), steps: ['updateStrategy', 'type'] }, wholeStruct, why);
  } else strategy.within('rollingUpdate', rollingStateful);
}

function rollingStateful(rolling: Fields): void {
  validateNotNegative(rolling, 'partition');
  if (rolling.version.builtin.statefulUnavailable === 'dropped') return;
  const most = intOrString(rolling, 'maxUnavailable');
  if (most === undefined) return;
  const spot = rolling.at('maxUnavailable');
  intOrPercent(spot, most, rolling);
  if (amountOf(most) === 0n) rolling.check.invalid(spot, goIntOrString(most), 'cannot be 0');
  atMostAll(spot, most, rolling);
}

/** A number that is not below zero, or a percentage. */
export function intOrPercent(spot: FieldPath, value: IntOrString, fields: Fields): void {
  const { check } = fields;
  if (typeof value === 'string') for (const why of percent(value)) check.invalid(spot, goIntOrString(value), why);
  else if (value < 0n) check.invalid(spot, value, 'must be greater than or equal to 0');
}

export function atMostAll(spot: FieldPath, value: IntOrString, fields: Fields): void {
  if (typeof value === 'string' && percentOf(value) > 100n) {
    fields.check.invalid(spot, goIntOrString(value), 'must not be greater than 100%');
  }
}

function percentOf(text: string): bigint {
  return /^\d{1,18}%$/.test(text) ? BigInt(text.slice(0, -1)) : 0n;
}

function amountOf(value: IntOrString): bigint {
  return typeof value === 'string' ? percentOf(value) : value;
}

export function validateReplicationController(object: Fields): void {
  const spec = object.object('spec');
  for (const key of ['replicas', 'minReadySeconds']) spec.part(() => validateNotNegative(spec, key));
  spec.part(() => controllerSelector(spec));
  object.part(() => validateCopiedLabels(object, spec));
  const found = spec.has('template');
  if (!found) spec.part(() => spec.required('template'));
  else template(spec, 'ReplicationController');
}

/** Without a selector it takes the labels. */
function controllerSelector(spec: Fields): void {
  const labels = spec.object('template').object('metadata').textMap('labels');
  const written = spec.textMap('selector');
  const selector = written && written.size > 0 ? written : labels;
  if (!selector || selector.size === 0) {
    spec.required('selector');
    return;
  }
  if ([...selector].every(([key, value]) => labels?.get(key) === value) || !spec.has('template')) return;
  spec.check.mismatch(labelsOfTemplate(spec.at('template')), goTextMap(labels), mismatch, { selector });
}
