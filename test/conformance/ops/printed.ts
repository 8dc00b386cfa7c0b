import type { Value, ValueMap } from '../../../server/src/base/value.ts';
import { crdStruct, emptyCrd } from '../../../server/src/kubernetes/api/crd.ts';
import { storeStruct } from '../../../server/src/kubernetes/api/store.ts';
import { decodeInto } from '../../../server/src/kubernetes/decode.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';

/** As Go prints the CRD. What Go would not know, or would print as something else, shows as a difference. */
export function asPrinted(value: ValueMap): Value {
  const crd = emptyCrd();
  const { error, strict } = decodeInto(crdStruct.decoding, crd, value, newestVersion);
  if (error) return error.message;
  if (strict.length > 0) return strict.map(({ message }) => message);
  const stored = storeStruct(crdStruct, crd, { zeroTimestamp: false });
  for (const key of ['apiVersion', 'kind', 'status']) stored.delete(key);
  return stored;
}
