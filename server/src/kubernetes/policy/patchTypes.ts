import { type CelEnv, joinLibraries, type StructInfo, type Structs } from '../../cel/env.ts';
import { type CelType, dynType, stringType, structType, unspecifiedType } from '../../cel/types.ts';
import { jsonPatch } from '../cel/libraries/jsonPatch.ts';
import { jsonPatchType, madeObject, madePatch, objectType } from './patchValues.ts';

// The types that expressions of mutations make: an `Object{…}`, whose parts are called `Object.spec` and so on by
// their path, and the operations of a JSON patch.

/** The fields of an operation, with what they are for. */
export const jsonPatchFields: ReadonlyMap<string, readonly [type: CelType, doc: string]> = new Map([
  ['op', [stringType, 'add, remove, replace, move, copy or test.']],
  ['path', [stringType, 'Where: a JSON pointer such as /spec/replicas; jsonpatch.escapeKey() escapes a key in it.']],
  ['from', [stringType, 'Where move and copy take the value from.']],
  ['value', [dynType, 'What add, replace and test put or expect.']],
]);

/** An environment that knows them too. */
export function withPatches(env: CelEnv): CelEnv {
  const functions = joinLibraries([jsonPatch]);
  return {
    ...env,
    functions: new Map([...env.functions, ...functions]),
    structs: structsOver(env.structs),
    qualified: {
      idents: new Set([...env.qualified.idents, objectType.name]),
      functions: new Set([...env.qualified.functions, 'jsonpatch']),
    },
  };
}

function structsOver(outer: Structs): Structs {
  const objects = new Map<string, StructInfo>();
  return (name) => {
    if (name === jsonPatchType.name) return patchInfo;
    if (name !== objectType.name && !name.startsWith(`${objectType.name}.`)) return outer(name);
    const info = objects.get(name) ?? objectInfo(name === objectType.name ? objectType : structType(name));
    objects.set(name, info);
    return info;
  };
}

function objectInfo(type: CelType): StructInfo {
  return { type, onlyChecked: true, field: () => dynType, make: (fields) => madeObject(type, fields) };
}

const patchInfo: StructInfo = {
  type: jsonPatchType,
  onlyChecked: true,
  // Upstream says of any name that it is a field, and of those that are none no type.
  field: (name) => jsonPatchFields.get(name)?.[0] ?? unspecifiedType,
  make: madePatch,
};
