import type { DecodeError } from '../../kubernetes/decode.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { Says } from '../model/says.ts';

// What findings say in parts, of what the API server says in words alone.

export function saysOfDecoding({ target, isOfBase64 }: DecodeError): Says {
  return {
    ...(target && {
      undecoded: {
        ...{ found: target.found, wanted: target.wanted },
        isInStruct: target.struct !== '' || target.field !== '',
      },
    }),
    ...(isOfBase64 && { isOfBase64 }),
  };
}

/** Of what strict decoding refuses: `unknown field "spec.size"`. */
export function saysOfStrict(message: string, isMisspelled: boolean): Says {
  const field = /^unknown field "([^"]{1,1000})"/.exec(message)?.[1];
  return field === undefined ? {} : { unknown: { field, isMisspelled } };
}

/** Of a version that nothing serves, and of what the server has instead. */
export function saysOfVersion(
  { kind, apiVersion }: Manifest,
  message: string,
  served?: readonly string[],
  isGone = false,
): Says {
  const unserved = { kind, apiVersion, ...(served && { served }), ...(isGone && { isGone }) };
  return { unserved, versions: versionsIn(message) };
}

/** The versions in a message that are not stable. */
export function versionsIn(message: string): readonly string[] {
  return message.match(/\bv\d+(?:alpha|beta)\d+\b/g) ?? [];
}
