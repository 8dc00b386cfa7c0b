import { isList, isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { quote } from '../gostd/quote.ts';
import type { Mistake } from './markers.ts';

// What kro demands of names before it looks at the schema. Where the API server refuses a name already, kro never sees it.

/** Names that kro keeps for itself, and words of CEL. */
const reserved: ReadonlySet<string> = new Set(
  `apiVersion context dependency dependencies each externalRef externalReference externalRefs externalReferences graph
  instance item items kind kro metadata namespace object resource resourcegraphdefinition resourceGraphDefinition resources
  root runtime schema self serviceAccountName spec status this variables vars version
  true false null in as break const continue else for function if import let loop package return var void while`.split(
    /\s+/,
  ),
);

const lowerCamelCase = /^[a-z][a-zA-Z0-9]*$/;
const upperCamelCase = /^[A-Z][a-zA-Z0-9]*$/;

/** As its controller has it unless it is told otherwise. */
const mostDimensions = 10;

export function namingMistakes(rgd: ValueMap): readonly Mistake[] {
  const kind = valueAt(rgd, ['spec', 'schema', 'kind']) ?? '';
  const before = 'failed to validate resourcegraphdefinition: ';
  const resources = valueAt(rgd, ['spec', 'resources']);
  const all = isList(resources) ? resources : [];
  const found = [...(isString(kind) ? ofKind(kind) : []), ...ofIds(all), ...ofLoops(all)];
  return found.map((mistake) => ({ ...mistake, message: before + mistake.message }));
}

const convention = 'naming convention violation: ';

function ofKind(kind: string): Mistake[] {
  if (upperCamelCase.test(kind)) return [];
  const message = `${convention}kind '${kind}' is not a valid KRO kind name: must be UpperCamelCase`;
  return [{ path: ['spec', 'schema', 'kind'], message }];
}

function ofIds(resources: readonly Value[]): Mistake[] {
  const seen = new Set<string>();
  return resources.flatMap((resource, i): Mistake[] => {
    const id = idOf(resource);
    // One that is missing is refused by the API server.
    if (id === undefined) return [];
    const isSecond = seen.has(id);
    seen.add(id);
    const why = reserved.has(id)
      ? `id ${id} is a reserved keyword in KRO`
      : !lowerCamelCase.test(id)
        ? `id ${id} is not a valid KRO resource id: must be lower camelCase`
        : isSecond && `found duplicate resource IDs ${id}`;
    return why ? [{ path: ['spec', 'resources', i, 'id'], message: convention + why }] : [];
  });
}

function idOf(resource: Value): string | undefined {
  const id = valueAt(resource, ['id']);
  return isString(id) ? id : undefined;
}

function ofLoops(resources: readonly Value[]): Mistake[] {
  const ids = new Set(resources.flatMap((one) => idOf(one) ?? []));
  return resources.flatMap((resource, i) => {
    const loops = valueAt(resource, ['forEach']);
    if (!isList(loops)) return [];
    return ofLoop(loops, idOf(resource) ?? '', ids, ['spec', 'resources', i, 'forEach']);
  });
}

function ofLoop(loops: readonly Value[], id: string, ids: ReadonlySet<string>, path: Path): Mistake[] {
  const before = `resource ${quote(id)}: `;
  if (loops.length > mostDimensions) {
    const message = `${before}forEach cannot have more than ${mostDimensions} dimensions, got ${loops.length}`;
    return [{ path, message }];
  }
  const seen = new Set<string>();
  return loops.flatMap((loop, i) =>
    [...(isMap(loop) ? loop.keys() : [])].flatMap((name): Mistake[] => {
      const isSecond = seen.has(name);
      seen.add(name);
      const why = wrongLoop(name, ids, isSecond);
      return why === undefined ? [] : [{ path: [...path, i, name], message: before + why }];
    }),
  );
}

function wrongLoop(name: string, ids: ReadonlySet<string>, isSecond: boolean): string | undefined {
  const named = `forEach iterator name ${quote(name)}`;
  if (!lowerCamelCase.test(name)) return `${named} is not valid: must be lowerCamelCase`;
  if (reserved.has(name)) return `${named} is a reserved keyword`;
  if (ids.has(name)) return `${named} conflicts with resource ID`;
  return isSecond ? `duplicate ${named}` : undefined;
}
