import { child, type FieldPath, index } from '../../field.ts';
import { goAny, goString } from '../../goValue.ts';
import { dns1123Label, dns1123Subdomain, labelValue } from '../../names.ts';
import type { Fields } from './check.ts';
import { wholeStruct } from './goTexts.ts';
import { validateLabelKey, validateLabelSelector } from './selectors.ts';

// Where pods may run: affinity, tolerations, spreading.

export function validateAffinity(affinity: Fields): void {
  affinity.within('nodeAffinity', (nodes) => {
    nodes.within('requiredDuringSchedulingIgnoredDuringExecution', validateNodeSelector);
    nodes.each('preferredDuringSchedulingIgnoredDuringExecution', (term) => {
      weight(term);
      term.within('preference', (preference) => nodeTerm(preference, false));
    });
  });
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    affinity.within(kind, (pods) => {
      pods.each('requiredDuringSchedulingIgnoredDuringExecution', podTerm);
      pods.each('preferredDuringSchedulingIgnoredDuringExecution', (term) => {
        weight(term);
        const inner = term.object('podAffinityTerm');
        inner.part(() => podTerm(inner));
      });
    });
  }
}

function weight(term: Fields): void {
  term.part(() => {
    const number = term.integer('weight') ?? 0n;
    if (number < 1n || number > 100n) term.check.invalid(term.at('weight'), number, 'must be in the range 1-100');
  });
}

export function validateNodeSelector(selector: Fields): void {
  if (selector.list('nodeSelectorTerms').length === 0) {
    selector.required('nodeSelectorTerms', 'must have at least one node selector term');
    return;
  }
  selector.each('nodeSelectorTerms', (term) => nodeTerm(term, selector.version.builtin.nodeAffinityValues));
}

function nodeTerm(term: Fields, valuesToo: boolean): void {
  term.each('matchExpressions', (one) => nodeRequirement(one, valuesToo));
  term.each('matchFields', nodeField);
}

function nodeRequirement(one: Fields, valuesToo: boolean): void {
  const { check } = one;
  const [operator, values] = [one.text('operator'), one.texts('values')];
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) one.required('values', "must be specified when `operator` is 'In' or 'NotIn'");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        check.forbidden(one.at('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) {
        one.required('values', "must be specified single value when `operator` is 'Lt' or 'Gt'");
      }
      break;
    default:
      check.invalid(one.at('operator'), goString(operator), 'not a valid selector operator');
  }
  validateLabelKey(check, one.at('key'), one.text('key'));
  if (!valuesToo) return;
  for (const [i, value] of values.entries()) {
    one.wrong(index(one.at('values'), i), value, labelValue(value, check.version), 'builtin/name');
  }
}

function nodeField(one: Fields): void {
  const { check } = one;
  const [key, operator, values] = [one.text('key'), one.text('operator'), one.texts('values')];
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    if (values.length !== 1) one.required('values', why);
  } else check.invalid(one.at('operator'), goString(operator), 'not a valid selector operator');
  if (key !== 'metadata.name') {
    check.invalid(one.at('key'), key, 'not a valid field selector key');
    return;
  }
  for (const [i, value] of values.entries()) {
    one.wrong(index(one.at('values'), i), value, dns1123Subdomain(value), 'builtin/name');
  }
}

function podTerm(term: Fields): void {
  const { check } = term;
  for (const key of ['labelSelector', 'namespaceSelector']) term.within(key, validateLabelSelector);
  for (const [i, name] of term.texts('namespaces').entries()) {
    const spot = child(term.spot, 'namespace', ['namespaces', i]);
    term.wrong(spot, name, dns1123Label(name), 'builtin/name');
  }
  if (check.version.builtin.matchLabelKeys) {
    labelKeys(term, ['matchLabelKeys', 'mismatchLabelKeys'], term.pointer('labelSelector'));
  }
  const topology = term.text('topologyKey');
  if (topology === '') term.required('topologyKey', 'can not be empty');
  validateLabelKey(check, term.at('topologyKey'), topology);
}

/** Keys whose values the pod itself has: beside a selector, and not in it as well. */
function labelKeys(term: Fields, lists: readonly string[], selector: Fields | undefined): void {
  const { check } = term;
  for (const list of lists) {
    const keys = term.texts(list);
    if (keys.length === 0) continue;
    if (!selector) {
      check.forbidden(term.at(list), 'must not be specified when labelSelector is not set');
      continue;
    }
    for (const [i, key] of keys.entries()) validateLabelKey(check, index(term.at(list), i), key);
  }
  const [matched, mismatched] = [term.texts(lists[0]!), lists[1] === undefined ? [] : term.texts(lists[1])];
  if (selector) keysOfBoth(term, matched, selector);
  for (const [i, key] of matched.entries()) {
    const why = 'exists in both matchLabelKeys and mismatchLabelKeys';
    if (mismatched.includes(key)) check.invalid(index(term.at('matchLabelKeys'), i), key, why);
  }
}

function keysOfBoth(term: Fields, matched: readonly string[], selector: Fields): void {
  const seen = new Set(selector.textMap('matchLabels')?.keys());
  for (const one of selector.items('matchExpressions')) {
    const key = one.text('key');
    const at = matched.lastIndexOf(key);
    if (at >= 0 && seen.has(key)) {
      const spot: FieldPath = { ...index(term.spot, at), steps: ['matchLabelKeys', at] };
      term.check.invalid(spot, key, 'exists in both matchLabelKeys and labelSelector');
    }
    seen.add(key);
  }
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTolerations(spec: Fields): void {
  spec.each('tolerations', (one) => {
    const { check } = one;
    const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((name) => one.text(name)) as [
      string,
      string,
      string,
      string,
    ];
    if (key !== '') validateLabelKey(check, one.at('key'), key);
    else if (operator !== 'Exists') {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      check.invalid(one.at('operator'), goString(operator), why);
    }
    if (one.has('tolerationSeconds') && effect !== 'NoExecute') {
      const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      check.invalid(one.at('effect'), goString(effect), why);
    }
    tolerated(one, operator, value);
    if (effect !== '' && !effects.includes(effect)) check.unsupported(one.at('effect'), goString(effect), effects);
  });
}

/** What the operator asks of the value; the server finds fault with the operator. */
function tolerated(one: Fields, operator: string, value: string): void {
  const { check } = one;
  const spot = one.at('operator');
  const { comparesTaints } = check.version.builtin;
  if (operator === 'Equal' || operator === '') {
    const texts = labelValue(value, check.version);
    if (texts.length > 0) check.invalid(spot, value, texts.join(';'));
  } else if (operator === 'Exists') {
    const shown = check.version.builtin.showsToleration ? wholeStruct : value;
    if (value !== '') check.invalid(spot, shown, "value must be empty when `operator` is 'Exists'");
  } else if (comparesTaints === 'named' && (operator === 'Lt' || operator === 'Gt')) {
    check.unsupported(spot, goString(operator), ['Equal', 'Exists', 'Lt', 'Gt']);
  } else check.unsupported(spot, goString(operator), ['Equal', 'Exists']);
}

const actions = ['DoNotSchedule', 'ScheduleAnyway'];
const inclusions = ['Honor', 'Ignore'];

export function validateSpread(spec: Fields): void {
  const all = spec.items('topologySpreadConstraints');
  spec.each('topologySpreadConstraints', (one, i) => {
    const { check } = one;
    const [skew, key, action] = [one.integer('maxSkew') ?? 0n, one.text('topologyKey'), one.text('whenUnsatisfiable')];
    if (skew <= 0n) check.invalid(one.at('maxSkew'), skew, 'must be greater than zero');
    if (key === '') one.required('topologyKey', 'can not be empty');
    if (!actions.includes(action)) check.unsupported(one.at('whenUnsatisfiable'), goString(action), actions);
    const isTwice = all
      .slice(i + 1)
      .some((other) => other.text('topologyKey') === key && other.text('whenUnsatisfiable') === action);
    if (isTwice) {
      check.duplicate(child(one.spot, '{topologyKey, whenUnsatisfiable}', ['topologyKey']), `{${key}, ${action}}`);
    }
    minDomains(one, action);
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      const policy = one.pointed(name);
      if (policy === undefined || inclusions.includes(policy)) continue;
      check.unsupported(one.at(name), goString(policy), inclusions);
    }
    if (check.version.builtin.mergesSpreadKeys) labelKeys(one, ['matchLabelKeys'], one.pointer('labelSelector'));
    else spreadKeys(one);
    one.within('labelSelector', validateLabelSelector);
  });
}

function minDomains(one: Fields, action: string): void {
  const { check } = one;
  const domains = one.integer('minDomains');
  if (domains === undefined) return;
  const spot = one.at('minDomains');
  if (domains <= 0n) check.invalid(spot, domains, 'must be greater than zero');
  if (action === 'DoNotSchedule') return;
  check.invalid(spot, goAny(domains), `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`);
}

/** As it was before the keys became a part of the selector. */
function spreadKeys(one: Fields): void {
  const { check } = one;
  const keys = one.texts('matchLabelKeys');
  if (keys.length === 0) return;
  const selector = one.pointer('labelSelector');
  const spot = one.at('matchLabelKeys');
  if (!selector) check.forbidden(spot, 'must not be specified when labelSelector is not set');
  const selected = new Set([
    ...(selector?.textMap('matchLabels')?.keys() ?? []),
    ...(selector?.items('matchExpressions').map((row) => row.text('key')) ?? []),
  ]);
  for (const [i, key] of keys.entries()) {
    validateLabelKey(check, index(spot, i), key);
    const why = 'exists in both matchLabelKeys and labelSelector';
    if (selected.has(key)) check.invalid(index(spot, i), key, why);
  }
}
