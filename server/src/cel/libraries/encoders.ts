import { decodeBase64, encodeBase64 } from '../../gostd/base64.ts';
import { utf8 } from '../../gostd/bytes.ts';
import { bytes, error, isKind, noSuchOverload, type Val } from '../eval/values.ts';
import { fn, type Library } from '../overload.ts';

/** What is written without padding is read as well. */
function decode(text: Val): Val {
  const written = text as string;
  const read = decodeBase64(utf8(written));
  const found = 'bytes' in read ? read : decodeBase64(utf8(written.padEnd(Math.ceil(written.length / 4) * 4, '=')));
  return 'bytes' in found ? bytes(found.bytes) : error(`illegal base64 data at input byte ${found.corruptAt}`);
}

/** Bytes as text. */
export const encoders: Library = [
  fn('base64.encode', 'Bytes as base64.', [
    {
      id: 'base64_encode_bytes',
      signature: 'base64.encode(bytes): string',
      example: "base64.encode(b'hello') == 'aGVsbG8='",
      impl: (value) => (isKind(value, 'bytes') ? encodeBase64(value.bytes) : noSuchOverload),
    },
  ]),
  fn('base64.decode', 'The bytes that base64 stands for, with padding or without.', [
    {
      id: 'base64_decode_string',
      signature: 'base64.decode(string): bytes',
      example: "base64.decode('aGVsbG8=') == b'hello'",
      impl: decode,
    },
  ]),
];
