import { byteLength } from '../../../gostd/bytes.ts';
import { zoneOffset } from '../../../gostd/zone.ts';
import { child, type FieldPath, fieldOf, key, omitted, pathOf } from '../../field.ts';
import { goString } from '../../goValue.ts';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { scheduleFault } from './cronSchedule.ts';
import { goIntegers, goLabelSelector, pointedText, wholeStruct } from './goTexts.ts';
import { validatePodTemplate } from './podSpec.ts';
import { validateNotNegative } from './probes.ts';
import { labelsOfTemplate, selectorOf, validateCopiedLabels, validateLabelSelector } from './selectors.ts';
import { domainPrefixedPath } from './texts.ts';
import { reportMismatch } from './workloads.ts';

export function validateJob(object: Fields): void {
  const spec = object.object('spec');
  spec.part(() => jobSelector(object, spec));
  spec.part(() => validateJobSpec(spec, true));
  object.part(() => validateCopiedLabels(object, spec));
  object.part(() => nameOfLastPod(object, spec));
  object.part(() => labelsOfJob(object, spec));
  object.part(() => nameAsLabel(object, spec));
}

const namesOfJob = ['job-name', 'batch.kubernetes.io/job-name'];

/** Labels of a job's pods with its `uid`, which the server makes: none that is written is like it. */
const uidsOfJob = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

/** Mostly the server makes the selector, and puts what it selects into the labels. */
function jobSelector(object: Fields, spec: Fields): void {
  const { check } = spec;
  const selector = spec.pointer('selector');
  if (!spec.isTrue('manualSelector')) {
    if (!selector) return;
    validateLabelSelector(selector);
    const name = object.object('metadata').text('name');
    const ofServer = new Map([...uidsOfJob, ...namesOfJob].map((label) => [label, '?']));
    for (const label of name === '' ? [] : namesOfJob) ofServer.set(label, name);
    const isOwn = selectorOf(selector)?.(ofServer) === false;
    if (isOwn) check.invalid(spec.at('selector'), wholeStruct, '`selector` not auto-generated');
    return;
  }
  if (!selector) spec.required('selector');
  else validateLabelSelector(selector);
  const selects = selectorOf(selector);
  const labels = spec.object('template').object('metadata').textMap('labels');
  if (selects && !selects(labels ?? new Map())) reportMismatch(spec, labels, selector);
}

/** Pods of an indexed job are numbered, which their host names have to have room for. */
function nameOfLastPod(object: Fields, spec: Fields): void {
  const completions = spec.integer('completions') ?? 0n;
  if (spec.text('completionMode') !== 'Indexed' || completions <= 0n) return;
  const name = object.object('metadata').text('name');
  const last = `${name}-${completions - 1n}`;
  if (name === '' || dns1123Label(last).length === 0) return;
  const spot = child(object.at('metadata'), 'name');
  object.check.invalid(spot, name, `will not able to create pod with invalid DNS label: ${last}`, 'builtin/name');
}

/** Of the labels with the name and the uid, those that the pods have already must have that. */
function labelsOfJob(object: Fields, spec: Fields): void {
  if (spec.isTrue('manualSelector')) return;
  const metadata = object.object('metadata');
  const begun = metadata.text('generateName');
  // What the server puts behind it is not known, and hardly what is written.
  const name = metadata.text('name') || (begun && `${begun}…`);
  const labels = spec.object('template').object('metadata').textMap('labels');
  for (const label of [...namesOfJob, ...uidsOfJob]) {
    const own = labels?.get(label);
    const wanted = uidsOfJob.includes(label) ? '…' : name;
    const spot = key(labelsOfTemplate(spec.at('template')), label);
    const isWrong = own !== undefined && wanted !== '' && own !== wanted;
    if (isWrong) object.check.invalid(spot, wholeStruct, `must be '${wanted}'`);
  }
}

/** The server puts the name into those two labels of the pods that they do not have, which have less room than a name. */
function nameAsLabel(object: Fields, spec: Fields): void {
  const metadata = object.object('metadata');
  const own = spec.object('template').object('metadata').textMap('labels');
  if (spec.isTrue('manualSelector') || namesOfJob.every((label) => own?.has(label))) return;
  const name = metadata.text('name');
  const spot: FieldPath = { parent: undefined, field: 'spec.template.labels', steps: pathOf(metadata.at('name')) };
  const code = dns1123Subdomain(name).length === 0 ? 'builtin/name' : 'builtin/follows';
  object.wrong(spot, name, labelValue(name, object.version), code);
}

const counts = [
  ...['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'],
  ...['backoffLimitPerIndex', 'maxFailedIndexes'],
];
const completionModes = ['NonIndexed', 'Indexed'];
const replacements = ['Failed', 'TerminatingOrFailed'];
const mostIndexed = 100_000n;
const mostParallel = 10_000n;

/** Jobs of their own have defaults that those in templates do not have yet. */
function validateJobSpec(spec: Fields, hasDefaults: boolean): void {
  const { check } = spec;
  for (const key of counts) spec.part(() => validateNotNegative(spec, key));
  spec.part(() => {
    if (spec.has('maxFailedIndexes') && !spec.has('backoffLimitPerIndex')) {
      spec.required('backoffLimitPerIndex', 'when maxFailedIndexes is specified');
    }
  });
  spec.part(() => managedBy(spec, hasDefaults));
  spec.part(() => completionMode(spec, hasDefaults));
  spec.within('podFailurePolicy', (policy) => podFailurePolicy(policy, spec));
  spec.part(() => {
    const isIndexed = spec.text('completionMode') === 'Indexed';
    if (spec.has('successPolicy') && !isIndexed) {
      check.invalid(spec.at('successPolicy'), wholeStruct, 'requires indexed completion mode');
    }
  });
  spec.part(() => {
    const policy = spec.pointed('podReplacementPolicy');
    const supported = spec.has('podFailurePolicy') ? ['Failed'] : replacements;
    if (policy === undefined || supported.includes(policy)) return;
    check.unsupported(spec.at('podReplacementPolicy'), goString(policy), supported);
  });
  const template = spec.object('template');
  template.part(() => validatePodTemplate(template));
  spec.part(() => restartPolicy(spec));
}

/** It is dropped from jobs where the feature is off, from templates not yet. */
function managedBy(spec: Fields, isJob: boolean): void {
  const by = spec.pointed('managedBy');
  if (by === undefined || (isJob && !spec.version.builtin.jobManagedBy)) return;
  const spot = spec.at('managedBy');
  if (by === '') spec.required('managedBy');
  else for (const [text, why] of domainPrefixedPath(by)) spec.check.invalid(spot, text, why, 'builtin/name');
  if (byteLength(by) > 63) spec.check.tooLong(spot, 63);
}

function completionMode(spec: Fields, hasDefaults: boolean): void {
  const { check } = spec;
  const mode = spec.pointed('completionMode') ?? 'NonIndexed';
  if (!completionModes.includes(mode)) {
    check.unsupported(spec.at('completionMode'), goString(mode), completionModes);
  }
  if (mode === 'NonIndexed') {
    for (const key of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      const value = spec.integer(key);
      if (value !== undefined) check.invalid(spec.at(key), value, 'requires indexed completion mode');
    }
  }
  if (mode === 'Indexed') indexed(spec, hasDefaults);
}

function indexed(spec: Fields, hasDefaults: boolean): void {
  const { check } = spec;
  const isPlain = hasDefaults && !spec.has('completions') && !spec.has('parallelism');
  const completions = spec.integer('completions') ?? (isPlain ? 1n : undefined);
  const [parallelism, failed] = [spec.integer('parallelism') ?? 1n, spec.integer('maxFailedIndexes')];
  if (completions === undefined) spec.required('completions', 'when completion mode is Indexed');
  if (parallelism > mostIndexed) {
    const why = `must be less than or equal to ${mostIndexed} when completion mode is Indexed`;
    check.invalid(spec.at('parallelism'), parallelism, why);
  }
  if (failed !== undefined && completions !== undefined && failed > completions) {
    check.invalid(spec.at('maxFailedIndexes'), failed, 'must be less than or equal to completions');
  }
  if (failed !== undefined && failed > mostIndexed) {
    check.invalid(spec.at('maxFailedIndexes'), failed, `must be less than or equal to ${mostIndexed}`);
  }
  if (completions === undefined || completions <= mostIndexed || !spec.has('backoffLimitPerIndex')) return;
  const why = `must be less than or equal to ${mostParallel} when completions are above ${mostIndexed} and used with backoff limit per index`;
  if (failed === undefined) {
    spec.required('maxFailedIndexes', `must be specified when completions is above ${mostIndexed}`);
  }
  if (parallelism > mostParallel) check.invalid(spec.at('parallelism'), parallelism, why);
  if (failed !== undefined && failed > mostParallel) check.invalid(spec.at('maxFailedIndexes'), failed, why);
}

/** A job's pods end: only whether they are tried again can be chosen. */
function restartPolicy(spec: Fields): void {
  const { check } = spec;
  const pod = spec.object('template').object('spec');
  const policy = pod.text('restartPolicy') || 'Always';
  if (policy === 'Always') {
    const why = 'valid values: "OnFailure", "Never"';
    check.choose(pod.at('restartPolicy'), why, ['OnFailure', 'Never'], pod.map.has('restartPolicy'));
  } else if (policy !== 'OnFailure' && policy !== 'Never') {
    check.unsupported(pod.at('restartPolicy'), goString(policy), ['OnFailure', 'Never']);
  } else if (policy !== 'Never' && spec.has('podFailurePolicy')) {
    const why = 'only "Never" is supported when podFailurePolicy is specified';
    check.invalid(pod.at('restartPolicy'), goString(policy), why);
  }
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];
const mostRules = 20;
const mostPatterns = 20;
const mostCodes = 255;

function goList(values: readonly string[]): string {
  return `[${values.map((value) => `"${value}"`).join(' ')}]`;
}

function podFailurePolicy(policy: Fields, spec: Fields): void {
  const { length } = policy.list('rules');
  if (length > mostRules) policy.check.tooMany(policy.at('rules'), length, mostRules);
  const pod = spec.object('template').object('spec');
  const names = ['containers', 'initContainers'].flatMap((list) => pod.items(list).map((one) => one.text('name')));
  policy.each('rules', (rule) => failureRule(rule, spec, names));
}

function failureRule(rule: Fields, spec: Fields, names: readonly string[]): void {
  const { check } = rule;
  const action = rule.text('action');
  if (action === '') rule.required('action', `valid values: ${goList(actions)}`);
  else if (action === 'FailIndex') {
    if (!spec.has('backoffLimitPerIndex')) {
      check.invalid(rule.at('action'), goString(action), 'requires the backoffLimitPerIndex to be set');
    }
  } else if (!actions.includes(action)) check.unsupported(rule.at('action'), goString(action), actions);
  const [codes, conditions] = [rule.pointer('onExitCodes'), rule.items('onPodConditions')];
  if (codes) exitCodes(codes, names);
  if (conditions.length > mostPatterns) check.tooMany(rule.at('onPodConditions'), conditions.length, mostPatterns);
  // In the template of a CronJob older releases leave it as it is.
  const isDefault = check.version.builtin.defaultsCronConditions || fieldOf(spec.spot) === 'spec';
  for (const one of conditions) {
    const [type, status] = [one.text('type'), one.text('status') || 'True'];
    one.wrong(one.at('type'), type, qualifiedName(type, check.version), 'builtin/name');
    if (!isDefault && one.text('status') === '') one.required('status', `valid values: ${goList(statuses)}`);
    if (!statuses.includes(status)) check.unsupported(one.at('status'), goString(status), statuses);
  }
  if (codes && conditions.length > 0) {
    const why = 'specifying both OnExitCodes and OnPodConditions is not supported';
    check.invalid(rule.spot, omitted, why, 'builtin/one-of');
  }
  if (!codes && conditions.length === 0) {
    const why = 'specifying one of OnExitCodes and OnPodConditions is required';
    check.invalid(rule.spot, omitted, why, 'builtin/one-of');
  }
}

function exitCodes(codes: Fields, names: readonly string[]): void {
  const { check } = codes;
  const [operator, container, values] = [
    codes.text('operator'),
    codes.pointed('containerName'),
    codes.integers('values'),
  ];
  if (operator === '') codes.required('operator', `valid values: ${goList(operators)}`);
  else if (!operators.includes(operator)) check.unsupported(codes.at('operator'), goString(operator), operators);
  if (container !== undefined && !names.includes(container)) {
    const why = 'must be one of the container or initContainer names in the pod template';
    check.invalid(codes.at('containerName'), container, why);
  }
  const spot = codes.at('values');
  const shown = goIntegers('[]int32', codes.has('values') ? values : undefined);
  if (values.length === 0) check.invalid(spot, shown, 'at least one value is required');
  else if (values.length > mostCodes) check.tooMany(spot, values.length, mostCodes);
  const seen = new Set<bigint>();
  for (const [i, value] of values.entries()) {
    const at = { ...child(spot, ''), field: `[${i}]`, steps: [i] };
    if (operator === 'In' && value === 0n) check.invalid(at, value, 'must not be 0 for the In operator');
    if (seen.has(value)) check.duplicate(at, value);
    seen.add(value);
  }
  if (values.some((value, i) => i > 0 && values[i - 1]! > value)) check.invalid(spot, shown, 'must be ordered');
}

const concurrency = ['Allow', 'Forbid', 'Replace'];
/** Names of the jobs get the time behind them. */
const longestName = 52;

export function validateCronJob(object: Fields): void {
  const { check } = object;
  const spec = object.object('spec');
  spec.part(() => schedule(spec));
  for (const key of ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    spec.part(() => validateNotNegative(spec, key));
  }
  spec.part(() => timeZone(spec));
  spec.part(() => {
    const policy = spec.text('concurrencyPolicy');
    if (policy !== '' && !concurrency.includes(policy)) {
      check.unsupported(spec.at('concurrencyPolicy'), goString(policy), concurrency);
    }
  });
  const job = spec.object('jobTemplate').object('spec');
  job.part(() => validateJobSpec(job, false));
  job.part(() => {
    const selector = job.pointer('selector');
    if (selector) check.invalid(job.at('selector'), goLabelSelector(selector), '`selector` will be auto-generated');
    if (job.isTrue('manualSelector')) check.unsupported(job.at('manualSelector'), true, ['nil', 'false']);
  });
  object.part(() => {
    const name = object.object('metadata').text('name');
    if (byteLength(name) <= longestName) return;
    const spot = child(object.at('metadata'), 'name');
    check.invalid(spot, name, `must be no more than ${longestName} characters`, 'builtin/name');
  });
}

function schedule(spec: Fields): void {
  const { check } = spec;
  const [text, spot] = [spec.text('schedule'), spec.at('schedule')];
  if (text === '') {
    check.required(spot);
    return;
  }
  const fault = scheduleFault(text);
  if (fault !== undefined) check.invalid(spot, text, fault, 'builtin/schedule');
  if (!text.includes('TZ')) return;
  check.invalid(spot, text, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead', 'builtin/schedule');
}

function timeZone(spec: Fields): void {
  const zone = spec.pointed('timeZone');
  if (zone === undefined) return;
  const wrong = (why: string) => spec.check.invalid(spec.at('timeZone'), pointedText(zone), why, 'builtin/schedule');
  if (zone === '') {
    wrong('timeZone must be nil or non-empty string');
    return;
  }
  const isOdd = (part: string) => part === '.' || part === '..' || !/^[A-Za-z0-9_.+][A-Za-z0-9_.+-]{0,13}$/.test(part);
  if (zone.split('/').some(isOdd)) {
    wrong(`unknown time zone ${zone}`);
    return;
  }
  if (zone.toLowerCase() === 'local') {
    wrong('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
    if (zone === 'Local') return;
  }
  const offset = zoneOffset(zone, 0n);
  if (typeof offset !== 'number') wrong(offset.error);
}
