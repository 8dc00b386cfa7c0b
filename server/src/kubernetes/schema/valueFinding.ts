import type { Value } from '../../base/value.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import {
  type About,
  type BadValue,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '../field.ts';
import type { Said } from '../finding.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { ValueError } from './validate.ts';

/** The place of a value error below another place, under the name that kube-openapi gives it. */
function errorPath({ name, path }: ValueError, base: FieldPath): FieldPath {
  const trimmed = name.replace(/^\./, '');
  return trimmed === '' ? base : { parent: base, field: `.${trimmed}`, steps: path };
}

/** A value error as the API server reports it. */
export function valueFinding<const A extends About>(
  error: ValueError,
  base: FieldPath,
  about: A,
  version: KubernetesVersion,
): A & Said {
  const spot = errorPath(error, base);
  const shown: BadValue = error.value === undefined ? '' : error.value;
  switch (error.keyword) {
    case 'required':
      return required(spot, '', about);
    case 'enum':
      return notSupported(spot, error.value ?? null, (error.allowed ?? []).map(allowedText), version, about);
    case 'maxLength':
      return tooLong(spot, error.limit ?? -1n, version, about);
    case 'maxItems':
    case 'maxProperties':
      return tooMany(spot, (error.value as bigint | undefined) ?? -1n, error.limit ?? -1n, version, about);
    case 'type':
    case 'format':
      return typeInvalid(spot, shown, error.message, version, about);
    case 'junctor':
    case 'range':
      // They are reported at the base, wherever the value stands.
      return invalid({ parent: base, field: '', steps: error.path }, '', error.message, version, about);
    default:
      return invalid(spot, shown, error.message, version, about);
  }
}

function allowedText(value: Value): string {
  return typeof value === 'string' ? value : printJson(value);
}
