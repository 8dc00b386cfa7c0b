import { movedRange } from '../../base/text.ts';
import { isString, type Path, type Value, valueAt } from '../../base/value.ts';
import { pathOf } from '../../crdtest/objects.ts';
import { rulePathOf, rulesIn, rulesKey } from '../../crdtest/rulePath.ts';
import { ruleTitles } from '../../rules/model/registry.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { rangeOf } from '../../yaml/place.ts';
import { tolerantValueOf } from '../../yaml/tolerantValue.ts';
import type { Cursor } from '../place/cursor.ts';
import { type Location, placeIn } from '../place/location.ts';
import { apiVersionFor, testedBy } from '../place/objectIn.ts';

/** Where what is named under the cursor in tests is written down, in the CRD or among the bases. */
export function definitionInTests(snapshot: Snapshot, { file, placed, target }: Cursor): Location[] {
  const { path } = target;
  const root = tolerantValueOf(placed.document) ?? null;
  const value = target.at === 'value' ? valueAt(root, path) : undefined;
  const [list, , key] = path;
  const last = path.at(-1);
  if (list === 'cases' && last === 'base' && isString(value)) {
    const range = rangeOf(placed.document, ['bases', value], 'key');
    return range ? [{ uri: file.uri, range: movedRange(range, placed.start) }] : [];
  }
  const definition = testedBy(placed.document, file.uri, snapshot.definitions);
  if (!definition) return [];
  if (list === 'crd') return [placeIn(definition, ['spec', 'names', 'kind'], 'value')];
  if (list !== 'cases' || !isString(value)) return [];
  if (key === 'rule') return ruleNamed(definition, value);
  if (path.includes('errors', 2)) return inError(definition, root, path, value);
  return last === 'error' || last === 'message' ? rulesSaying(definition, value) : [];
}

function ruleNamed(definition: Definition, text: string): Location[] {
  const rule = rulePathOf(text);
  return rule ? inSchemas(definition, [...rule.schema, rulesKey, rule.nth, 'rule']) : [];
}

/** A place in the schemas of all versions that have it. */
function inSchemas(definition: Definition, path: Path): Location[] {
  return schemasOf(definition).flatMap((schema) => {
    const at = [...schema, ...path];
    return valueAt(definition.manifest.value, at) === undefined ? [] : [placeIn(definition, at, 'value')];
  });
}

function schemasOf({ versions }: Definition): Path[] {
  return versions.map((_, i) => ['spec', 'versions', i, 'schema', 'openAPIV3Schema']);
}

/** An item of `errors` leads to its field, its rule, or both. */
function inError(definition: Definition, root: Value, path: Path, text: string): Location[] {
  const key = path.at(-1);
  if (key === 'field') return fieldNamed(definition, root, path, text);
  if (key === 'code') {
    const field = valueAt(root, [...path.slice(0, -1), 'field']);
    return Object.hasOwn(ruleTitles, text) && isString(field) ? fieldNamed(definition, root, path, field) : [];
  }
  return rulesSaying(definition, text);
}

function fieldNamed(definition: Definition, root: Value, path: Path, field: string): Location[] {
  const schema = rootSchema(definition, apiVersionFor(root, path, definition));
  const steps = pathOf(field);
  const node = schema && steps && schemaAt(schema, steps);
  return node?.path ? [placeIn(definition, node.path, 'key')] : [];
}

/** The rules whose message a text is, or has in it, or is a part of. */
function rulesSaying(definition: Definition, text: string): Location[] {
  const { value } = definition.manifest;
  return schemasOf(definition).flatMap((at) =>
    rulesIn(valueAt(value, at)).flatMap(({ path }) => {
      const message = valueAt(value, [...at, ...path, 'message']);
      const said = isString(message) ? message.trim() : '';
      const isIt = said !== '' && text !== '' && (text.includes(said) || said.includes(text));
      return isIt ? [placeIn(definition, [...at, ...path, 'message'], 'value')] : [];
    }),
  );
}
