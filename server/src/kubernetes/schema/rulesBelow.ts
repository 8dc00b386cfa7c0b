import type { Path } from '../../base/value.ts';
import type { Structural, ValidationRule } from './structural.ts';

/** A rule with the schema that it stands in. */
export interface PlacedRule {
  readonly rule: ValidationRule;
  readonly schema: Structural;
  readonly isRoot: boolean;
  /** Of the rule's text. */
  readonly path: Path;
}

/** The rules of a schema and of all below; `at` is the schema's own path. */
export function rulesBelow(schema: Structural, at: Path, isRoot: boolean): PlacedRule[] {
  const { extensions, properties, items, additionalProperties } = schema;
  const below = (one: Structural | undefined, ...steps: string[]) =>
    one ? rulesBelow(one, [...at, ...steps], one.extensions.embeddedResource) : [];
  const own = extensions.validations.map((rule, i) => {
    return { rule, schema, isRoot, path: [...at, 'x-kubernetes-validations', i, 'rule'] };
  });
  return [
    ...own,
    ...[...(properties ?? [])].flatMap(([name, property]) => below(property, 'properties', name)),
    ...below(items, 'items'),
    ...below(additionalProperties?.schema, 'additionalProperties'),
  ];
}
