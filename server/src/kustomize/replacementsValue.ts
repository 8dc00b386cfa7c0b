import type { Value, ValueMap } from '../base/value.ts';
import type { FieldOptions, Replacement, ReplacementTarget, Selector } from './kustomization.ts';
import { selectorValue } from './transform/patches.ts';

/** Replacements as kustomize shows them where they cannot be configured. */
export function replacementsValue(all: readonly Replacement[]): ValueMap {
  return new Map<string, Value>([['Replacements', all.map(valueOf)]]);
}

function withText(value: Map<string, Value>, name: string, text: string | undefined): void {
  if (text) value.set(name, text);
}

function valueOf({ source, sourceValue, targets, path }: Replacement): ValueMap {
  const value = new Map<string, Value>();
  withText(value, 'path', path);
  if (source) {
    const inner: Map<string, Value> = selectorValue(source);
    withText(inner, 'fieldPath', source.fieldPath);
    if (source.options) inner.set('options', optionsValue(source.options));
    value.set('source', inner);
  }
  if (sourceValue !== undefined) value.set('sourceValue', sourceValue);
  if (targets && targets.length > 0)
    value.set(
      'targets',
      targets.map((target) => (target ? targetValue(target) : null)),
    );
  return value;
}

function targetValue({ select, reject, fieldPaths, options }: ReplacementTarget): ValueMap {
  const value = new Map<string, Value>([['select', select ? selectorValue(select) : null]]);
  const shown = (one: Selector | undefined): Value => (one ? selectorValue(one) : null);
  if (reject && reject.length > 0) value.set('reject', reject.map(shown));
  if (fieldPaths && fieldPaths.length > 0) value.set('fieldPaths', [...fieldPaths]);
  if (options) value.set('options', optionsValue(options));
  return value;
}

function optionsValue({ delimiter, index, encoding, create }: FieldOptions): ValueMap {
  const value = new Map<string, Value>();
  withText(value, 'delimiter', delimiter);
  withText(value, 'encoding', encoding);
  if (index) value.set('index', index);
  if (create) value.set('create', true);
  return value;
}
