import { isMap, type ValueMap } from '../../../base/value.ts';
import { child, type FieldPath, index, pathOf } from '../../field.ts';
import { goString } from '../../goValue.ts';
import { labelValue, qualifiedName } from '../../names.ts';
import type { Check, Fields } from './check.ts';

// Labels and what selects by them.

/** Findings about one entry of a map name the map, but stand at the entry. */
export function entryOf(map: FieldPath, name: string): FieldPath {
  return { parent: map, field: '', steps: [name] };
}

export function validateLabels(fields: Fields, key: string, spot: FieldPath = fields.at(key)): void {
  const { check } = fields;
  for (const [name, text] of fields.textMap(key) ?? []) {
    const entry = entryOf(spot, name);
    fields.wrong(entry, name, qualifiedName(name, check.version), 'builtin/name');
    fields.wrong(entry, text, labelValue(text, check.version), 'builtin/name');
  }
}

/** A key of a label. */
export function validateLabelKey(check: Check, spot: FieldPath, key: string): void {
  for (const why of qualifiedName(key, check.version)) check.invalid(spot, key, why, 'builtin/name');
}

const withValues = ['In', 'NotIn'];
const withoutValues = ['Exists', 'DoesNotExist'];

export function validateLabelSelector(selector: Fields): void {
  selector.part(() => validateLabels(selector, 'matchLabels'));
  selector.each('matchExpressions', validateRequirement);
}

function validateRequirement(one: Fields): void {
  const { check } = one;
  const [operator, values] = [one.text('operator'), one.texts('values')];
  if (withValues.includes(operator)) {
    if (values.length === 0) one.required('values', "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (withoutValues.includes(operator)) {
    const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values.length > 0) check.forbidden(one.at('values'), why);
  } else check.invalid(one.at('operator'), goString(operator), 'not a valid selector operator');
  validateLabelKey(check, one.at('key'), one.text('key'));
  for (const [i, value] of values.entries()) {
    one.wrong(index(one.at('values'), i), value, labelValue(value, check.version), 'builtin/name');
  }
}

/** A selector that can be asked, as `LabelSelectorAsSelector` makes it; undefined where that fails. */
export type Selector = (labels: ReadonlyMap<string, string>) => boolean;

/** Without a selector nothing is selected; one that is empty selects everything. */
export function selectorOf(selector: Fields | undefined): Selector | undefined {
  if (!selector) return () => false;
  const labels = [...(selector.textMap('matchLabels') ?? [])];
  const { version } = selector;
  if (labels.some(([key, value]) => !isRight(qualifiedName(key, version), labelValue(value, version))))
    return undefined;
  const rows = selector.items('matchExpressions').map((one) => {
    return { key: one.text('key'), operator: one.text('operator'), values: one.texts('values') };
  });
  const isWrong = rows.some(({ key, operator, values }) => {
    if (!isRight(qualifiedName(key, version), ...values.map((value) => labelValue(value, version)))) return true;
    if (withValues.includes(operator)) return values.length === 0;
    return !withoutValues.includes(operator) || values.length > 0;
  });
  if (isWrong) return undefined;
  return (of) =>
    labels.every(([key, value]) => of.get(key) === value) &&
    rows.every(({ key, operator, values }) => {
      const value = of.get(key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      return operator === 'In'
        ? value !== undefined && values.includes(value)
        : value === undefined || !values.includes(value);
    });
}

function isRight(...texts: readonly (readonly string[])[]): boolean {
  return texts.every((one) => one.length === 0);
}

/** The labels that would have to be there; for the fix. */
export function labelsWanted(selector: Fields | undefined): ReadonlyMap<string, string> {
  return selector?.textMap('matchLabels') ?? new Map();
}

/** The place of the labels of a pod template, which its metadata holds. */
export function labelsOfTemplate(template: FieldPath): FieldPath {
  return child(child(template, 'metadata'), 'labels');
}

export function isEmptySelector(selector: ValueMap): boolean {
  const size = (key: string) => {
    const value = selector.get(key);
    return isMap(value) ? value.size : Array.isArray(value) ? value.length : 0;
  };
  return size('matchLabels') + size('matchExpressions') === 0;
}

/** An object without labels of its own gets those of its template. */
export function validateCopiedLabels(object: Fields, spec: Fields): void {
  const own = object.object('metadata').textMap('labels');
  if (own && own.size > 0) return;
  const labels = labelsOfTemplate(spec.at('template'));
  const spot: FieldPath = { parent: labels, field: '', steps: [] };
  const { check } = object;
  const copied: FieldPath = { ...child(object.at('metadata'), 'labels'), steps: pathOf(spot) };
  const at: FieldPath = { ...copied, parent: { ...object.at('metadata'), steps: [] } };
  for (const [name, text] of spec.object('template').object('metadata').textMap('labels') ?? []) {
    object.wrong(entryOf(at, name), name, qualifiedName(name, check.version), 'builtin/follows');
    object.wrong(entryOf(at, name), text, labelValue(text, check.version), 'builtin/follows');
  }
}
