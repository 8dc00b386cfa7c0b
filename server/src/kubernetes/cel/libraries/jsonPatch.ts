import { escapedStep } from '../../../base/jsonPointer.ts';
import { orNoSuchOverload } from '../../../cel/eval/values.ts';
import { fn, type Library } from '../../../cel/overload.ts';

/** What helps to write JSON patches. */
export const jsonPatch: Library = [
  fn('jsonpatch.escapeKey', 'A key as it stands in a path of a JSON patch.', [
    {
      id: 'string_jsonpatch_escapeKey_string',
      signature: 'jsonpatch.escapeKey(string): string',
      example: 'jsonpatch.escapeKey("example.com/a~b") == "example.com~1a~0b"',
      impl: (key) => (typeof key === 'string' ? escapedStep(key) : orNoSuchOverload(key)),
    },
  ]),
];
