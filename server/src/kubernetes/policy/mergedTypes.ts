import { noValidation, type Structural } from '../schema/structural.ts';
import { anything, type TypedKind } from './objectTypes.ts';

// What an expression may read that is for several kinds: what any of them has, with a word on which of them do.

interface Part {
  readonly kind: string;
  readonly structural: Structural;
}

/** The schema that stands for the objects of all kinds: what they all have comes first. */
export function mergedSchema(kinds: readonly TypedKind[]): Structural {
  return merged(kinds.map(({ kind, structural }) => ({ kind, structural })));
}

function merged(parts: readonly Part[]): Structural {
  const [first, ...others] = parts.map(({ structural }) => structural);
  if (!first || others.every((one) => one === first)) return first ?? anything;
  if (!others.every((one) => isAlike(first, one))) return { ...anything, description: first.description };
  const below = (get: (one: Structural) => Structural | undefined): Structural | undefined => {
    const inner = parts.flatMap(({ kind, structural }) => {
      const found = get(structural);
      return found ? [{ kind, structural: found }] : [];
    });
    return inner.length === parts.length ? merged(inner) : undefined;
  };
  const items = below((one) => one.items);
  const values = below((one) => one.additionalProperties?.schema);
  return {
    ...first,
    ...(items ? { items } : {}),
    ...(values ? { additionalProperties: { allowed: true, schema: values } } : {}),
    ...(first.properties ? mergedProperties(parts) : {}),
  };
}

/** Whether two schemas have values of the same type; what is inside of them may differ. */
function isAlike(a: Structural, b: Structural): boolean {
  const formats = [a, b].map(({ validation }) => validation?.format ?? '');
  return (
    a.type === b.type &&
    formats[0] === formats[1] &&
    a.extensions.intOrString === b.extensions.intOrString &&
    (a.additionalProperties?.schema === undefined) === (b.additionalProperties?.schema === undefined)
  );
}

function mergedProperties(parts: readonly Part[]): Pick<Structural, 'properties' | 'validation'> {
  const byName = new Map<string, Part[]>();
  for (const { kind, structural } of parts) {
    for (const [name, one] of structural.properties ?? []) {
      const same = byName.get(name) ?? [];
      same.push({ kind, structural: one });
      byName.set(name, same);
    }
  }
  const shared = [...byName].filter(([, owners]) => owners.length === parts.length);
  const partly = [...byName].filter(([, owners]) => owners.length < parts.length);
  const properties = new Map([
    ...shared.map(([name, owners]) => [name, merged(owners)] as const),
    ...partly.map(([name, owners]) => [name, onlyOf(owners)] as const),
  ]);
  const required = shared
    .map(([name]) => name)
    .filter((name) => parts.every(({ structural }) => structural.validation?.required.includes(name)));
  return { properties, validation: { ...(parts[0]!.structural.validation ?? noValidation), required } };
}

function onlyOf(owners: readonly Part[]): Structural {
  const one = merged(owners);
  const description = `${owners.map(({ kind }) => kind).join(', ')} only: ${one.description}`;
  return { ...one, description };
}
