import { quantitySign, quantityText } from '../../../gostd/quantity.ts';
import { child } from '../../field.ts';
import { goAny, goString } from '../../goValue.ts';
import { dns1123Label, parseGroupVersion, pathSegment, qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { goQuantity, goResourceName, intOrString, quantityIn, wholeStruct } from './goTexts.ts';
import { containerResource } from './resourceNames.ts';
import { validateLabelSelector } from './selectors.ts';
import { atMostAll, intOrPercent } from './workloads.ts';

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget'];

export function validateDisruptionBudget(object: Fields): void {
  const spec = object.object('spec');
  spec.part(() => {
    const keys = ['minAvailable', 'maxUnavailable'];
    if (keys.every((key) => spec.has(key))) {
      const why = 'minAvailable and maxUnavailable cannot be both set';
      spec.check.invalid(spec.spot, wholeStruct, why, 'builtin/one-of');
    }
  });
  for (const key of ['minAvailable', 'maxUnavailable']) {
    spec.part(() => {
      const amount = intOrString(spec, key);
      if (amount === undefined) return;
      intOrPercent(spec.at(key), amount, spec);
      atMostAll(spec.at(key), amount, spec);
    });
  }
  spec.within('selector', validateLabelSelector);
  spec.part(() => {
    const policy = spec.pointed('unhealthyPodEvictionPolicy');
    if (policy === undefined || evictionPolicies.includes(policy)) return;
    spec.check.unsupported(spec.at('unhealthyPodEvictionPolicy'), goString(policy), evictionPolicies);
  });
}

export function validateAutoscaler(object: Fields): void {
  const spec = object.object('spec');
  validateReplicas(spec);
  const target = spec.object('scaleTargetRef');
  target.part(() => validateReference(target, target.text('kind') === 'ReplicationController'));
  spec.part(() => metrics(spec));
  spec.within('behavior', (behavior) => {
    for (const key of ['scaleUp', 'scaleDown']) behavior.within(key, scalingRules);
  });
}

function validateReplicas(spec: Fields): void {
  const { check } = spec;
  const lowest = check.version.builtin.scalesToZero ? 0n : 1n;
  spec.part(() => {
    const least = spec.integer('minReplicas') ?? 1n;
    const most = spec.integer('maxReplicas') ?? 0n;
    if (least < lowest) {
      check.invalid(spec.at('minReplicas'), least, `must be greater than or equal to ${lowest}`);
    }
    const { maxReplicasTexts } = check.version.builtin;
    if (maxReplicasTexts === 'required') {
      if (most === 0n) spec.declared('maxReplicas', 'must be set and greater than 0');
      else if (most < 0n) check.invalid(spec.at('maxReplicas'), most, 'must be greater than or equal to 1');
    } else if (most < 1n) check.invalid(spec.at('maxReplicas'), most, 'must be greater than 0');
    if (most < least) {
      check.invalid(spec.at('maxReplicas'), most, 'must be greater than or equal to `minReplicas`');
    }
  });
}

function validateReference(target: Fields, isCore: boolean): void {
  const { check } = target;
  for (const key of ['kind', 'name']) {
    const text = target.text(key);
    if (text === '') target.required(key);
    else target.wrong(target.at(key), text, pathSegment(text, false), 'builtin/name');
  }
  if (!check.version.builtin.scaleTargetVersions) return;
  const written = target.text('apiVersion');
  const parsed = parseGroupVersion(written);
  const fault =
    'error' in parsed ? parsed.error : parsed.group === '' && !isCore ? 'apiVersion must specify API group' : undefined;
  if (fault !== undefined) check.invalid(target.at('apiVersion'), written, fault);
}

/** autoscaling/v1 knows the CPU alone, and is read as the metric that it is. */
export function validateAutoscalerV1(object: Fields): void {
  const spec = object.object('spec');
  validateReplicas(spec);
  const target = spec.object('scaleTargetRef');
  target.part(() => validateReference(target, target.text('kind') === 'ReplicationController'));
  spec.part(() => processorTarget(object, spec));
}

/** More metrics than the one are in annotations, which are not read here. */
function processorTarget(object: Fields, spec: Fields): void {
  const { check } = spec;
  if (object.object('metadata').textMap('annotations')?.has('autoscaling.alpha.kubernetes.io/metrics')) return;
  if (spec.integer('minReplicas') === 0n) {
    check.forbidden({ ...spec.at('metrics'), steps: ['minReplicas'] }, noScaleToZero);
  }
  const share = spec.integer('targetCPUUtilizationPercentage');
  if (share === undefined || share >= 1n) return;
  const spot = child(spec.spot, 'metrics[0].resource.target.averageUtilization', ['targetCPUUtilizationPercentage']);
  check.invalid(spot, goAny(share), 'must be greater than 0');
}

const noScaleToZero = 'must specify at least one Object or External metric to support scaling to zero replicas';

type MetricKind = 'Object' | 'Pods' | 'Resource' | 'External' | 'ContainerResource';

/** In the order in which the server looks at them. */
const metricKinds: readonly (readonly [MetricKind, string, (source: Fields) => void])[] = [
  ['Object', 'object', objectSource],
  ['External', 'external', externalSource],
  ['Pods', 'pods', podsSource],
  ['Resource', 'resource', resourceSource],
  ['ContainerResource', 'containerResource', containerSource],
];
const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

function metrics(spec: Fields): void {
  spec.each('metrics', validateMetric);
  spec.part(() => {
    if (spec.integer('minReplicas') !== 0n) return;
    const types = spec.items('metrics').map((metric) => metric.text('type'));
    if (types.includes('Object') || types.includes('External')) return;
    spec.check.forbidden(spec.at('metrics'), noScaleToZero);
  });
}

function validateMetric(metric: Fields): void {
  const { check } = metric;
  const type = metric.text('type');
  if (type === '') metric.required('type', 'must specify a metric source type');
  const isKnown = metricTypes.includes(type);
  // It is said twice.
  if (!isKnown) {
    check.unsupported(metric.at('type'), goString(type), metricTypes);
    check.unsupported(metric.at('type'), goString(type), metricTypes);
  }
  const given = metricKinds.filter(([, key]) => metric.has(key));
  const [first] = given;
  if (first) metric.within(first[1], first[2]);
  const own = metricKinds.find(([kind]) => kind === type)?.[1];
  if (own !== undefined && !metric.has(own)) {
    metric.required(own, 'must populate information for the given metric source');
  }
  if (given.length === 1) return;
  for (const [, key] of given) {
    const why = 'must populate the given metric source only';
    if (key !== own) check.forbidden(metric.at(key), why, 'builtin/one-of');
  }
}

function objectSource(source: Fields): void {
  const { check } = source;
  const object = source.object('describedObject');
  validateReference(object, true);
  identifier(source);
  const target = validateTarget(source);
  const why = 'must set either a target value or averageValue';
  if (!target.has('value') && !target.has('averageValue')) check.required(target.at('averageValue'), why);
}

function externalSource(source: Fields): void {
  const { check } = source;
  identifier(source);
  const target = validateTarget(source);
  const [value, average] = [target.has('value'), target.has('averageValue')];
  if (!value && !average) {
    check.required(target.at('averageValue'), 'must set either a target value for metric or a per-pod target');
  }
  if (value && average) {
    const why = 'may not set both a target value for metric and a per-pod target';
    check.forbidden(target.at('value'), why, 'builtin/one-of');
  }
}

function podsSource(source: Fields): void {
  identifier(source);
  const target = validateTarget(source);
  const why = 'must specify a positive target averageValue';
  if (!target.has('averageValue')) target.required('averageValue', why);
}

function resourceSource(source: Fields): void {
  if (source.text('name') === '') source.required('name', 'must specify a resource name');
  utilization(source);
}

function containerSource(source: Fields): void {
  const [name, container] = [source.text('name'), source.text('container')];
  if (name === '') source.required('name', 'must specify a resource name');
  else {
    for (const why of containerResource(name, source.version)) {
      const isPlain = source.version.builtin.plainMetricNames && qualifiedName(name, source.version).includes(why);
      const shown = isPlain ? goString(name) : goResourceName(name);
      source.check.invalid(source.at('name'), shown, why);
    }
  }
  if (container === '') source.required('container', 'must specify a container');
  else source.wrong(source.at('container'), container, dns1123Label(container), 'builtin/name');
  utilization(source);
}

function utilization(source: Fields): void {
  const target = validateTarget(source);
  const [share, value] = [target.has('averageUtilization'), target.has('averageValue')];
  if (!share && !value) {
    target.required('averageUtilization', 'must set either a target raw value or a target utilization');
  }
  if (share && value) {
    const why = 'may not set both a target raw value and a target utilization';
    target.check.forbidden(target.at('averageValue'), why, 'builtin/one-of');
  }
}

function identifier(source: Fields): void {
  const metric = source.object('metric');
  const name = metric.text('name');
  if (name === '') metric.required('name', 'must specify a metric name');
  else metric.wrong(metric.at('name'), name, pathSegment(name, false), 'builtin/name');
}

const targetTypes = ['Utilization', 'Value', 'AverageValue'];

function validateTarget(source: Fields): Fields {
  const target = source.object('target');
  const { check } = target;
  const type = target.text('type');
  if (type === '') target.required('type', 'must specify a metric target type');
  if (!targetTypes.includes(type)) {
    check.invalid(target.at('type'), goString(type), 'must be either Utilization, Value, or AverageValue');
  }
  for (const key of ['value', 'averageValue']) {
    const amount = quantityIn(target, key);
    if (amount && quantitySign(amount) <= 0) check.invalid(target.at(key), goQuantity(amount), 'must be positive');
  }
  const share = target.integer('averageUtilization');
  if (share !== undefined && share < 1n) {
    check.invalid(target.at('averageUtilization'), goAny(share), 'must be greater than 0');
  }
  return target;
}

const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];
const longestWindow = 3600n;
const longestPeriod = 1800n;

function scalingRules(rules: Fields): void {
  const { check } = rules;
  const [window, select] = [rules.integer('stabilizationWindowSeconds'), rules.pointed('selectPolicy')];
  const spot = rules.at('stabilizationWindowSeconds');
  if (window !== undefined && window < 0n) {
    check.invalid(spot, goAny(window), 'must be greater than or equal to zero');
  }
  if (window !== undefined && window > longestWindow) {
    check.invalid(spot, goAny(window), `must be less than or equal to ${longestWindow}`);
  }
  if (select !== undefined && !selectPolicies.includes(select)) {
    check.unsupported(rules.at('selectPolicy'), goString(select), selectPolicies);
  }
  // Those that are not given are the server's own.
  if (rules.has('policies') && rules.list('policies').length === 0) {
    rules.required('policies', 'must specify at least one Policy');
  }
  for (const policy of rules.items('policies')) scalingPolicy(policy);
  const tolerance = check.version.builtin.scalingTolerance ? quantityIn(rules, 'tolerance') : undefined;
  if (!tolerance || quantitySign(tolerance) >= 0) return;
  check.invalid(rules.at('tolerance'), quantityText(tolerance), 'must be greater than or equal to 0');
}

function scalingPolicy(policy: Fields): void {
  const { check } = policy;
  const type = policy.text('type');
  const [value, period] = [policy.integer('value') ?? 0n, policy.integer('periodSeconds') ?? 0n];
  if (!policyTypes.includes(type)) check.unsupported(policy.at('type'), goString(type), policyTypes);
  if (value <= 0n) check.invalid(policy.at('value'), value, 'must be greater than zero');
  if (period <= 0n) check.invalid(policy.at('periodSeconds'), period, 'must be greater than zero');
  if (period > longestPeriod) {
    check.invalid(policy.at('periodSeconds'), period, `must be less than or equal to ${longestPeriod}`);
  }
}
