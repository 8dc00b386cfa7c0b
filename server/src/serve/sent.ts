import { printJson } from '../gostd/jsonPrint.ts';
import type { BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import { BrokenProtobuf, readProtobuf } from '../kubernetes/builtin/protobuf.ts';
import { type Reply, status } from './replies.ts';

/** A body as text, and of which media type it is then. */
export interface SentText {
  readonly body: string;
  readonly type: string;
}

const protobuf = 'application/vnd.kubernetes.protobuf';

/** What came over the wire: built-in kinds in protobuf as the JSON that they mean, all else as it is. */
export function sentText(bytes: Buffer, type: string, builtin: BuiltinKinds): SentText | Reply {
  if (!type.startsWith(protobuf) || bytes.length === 0) return { body: bytes.toString('utf8'), type };
  try {
    const { value } = readProtobuf(bytes, builtin);
    // Custom resources have no form in protobuf: they are refused by their media type.
    return value ? { body: printJson(value), type: 'application/json' } : { body: '', type };
  } catch (error) {
    if (!(error instanceof BrokenProtobuf)) throw error;
    return status(400, 'BadRequest', `the body is not an object in protobuf: ${error.message}`);
  }
}
