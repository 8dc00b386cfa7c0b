/** An object as Flux applies it, once its variables are filled in. */
import type { Value } from '../../base/value.ts';
import {
  isVariableName,
  type SubstituteOptions,
  substituted,
  type Variables,
  variableName,
} from '../../flux/substitute.ts';
import { goYaml } from '../../yaml/goYaml.ts';
import { parseDocument } from '../../yaml/parse.ts';
import { documentVerdict, valueOf } from '../../yaml/value.ts';

export type SubstitutedObject = { readonly value: Value } | Unsubstituted;

interface Unsubstituted {
  readonly error: string;
  /** Whether the text that came of it cannot be read. */
  readonly isOfText?: true;
}

/** The text that an object is when its variables are filled in is YAML that is read again: what is in quotes may be a number. */
export function substitutedObject(object: Value, variables: Variables, options: SubstituteOptions): SubstitutedObject {
  const odd = [...variables.keys()].find((name) => !isVariableName(name));
  if (odd !== undefined) return { error: `envsubst error: '${odd}' var name is invalid, must match '${variableName}'` };
  const made = substituted(goYaml(object), variables, options);
  if ('error' in made) return { error: `envsubst error: variable substitution failed: ${made.error}` };
  const stray = strayOctet(made.text);
  if (stray !== undefined) return { error: `envsubst error: YAMLToJSON: yaml: ${stray}` };
  const document = parseDocument(made.text);
  const { error } = documentVerdict(document);
  if (error !== undefined) return { error: `envsubst error: YAMLToJSON: ${error}`, isOfText: true };
  return { value: valueOf(document) ?? null };
}

/** What a reader of YAML says of bytes that are not UTF-8, as they are left where characters were cut. */
function strayOctet(text: string): string | undefined {
  const at = text.search(/\p{Cs}/u);
  if (at === -1) return undefined;
  const isLead = (text.charCodeAt(at) & 0xff) >= 0xc0;
  return isLead ? 'invalid trailing UTF-8 octet' : 'invalid leading UTF-8 octet';
}
