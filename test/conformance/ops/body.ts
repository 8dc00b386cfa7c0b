import { type Json, readJson } from '../../../server/src/go/json.ts';
import { parseStream } from '../../../server/src/yaml/parse.ts';
import { documentVerdict, strictText, toJson } from '../../../server/src/yaml/value.ts';
import type { Request } from '../protocol.ts';

/** An object of a request as the API server receives it, with what strict decoding of YAML adds. */
export type Body = { readonly json: Json; readonly strict: readonly string[] } | { readonly error: string };

/** Reads a member that holds an object: JSON, or with `"format": "yaml"` a string of YAML. */
export function bodyOf(request: Request, member: string): Body {
  const raw = request.raw(member) ?? '';
  return request.raw('format') === '"yaml"' ? yamlBody(raw === '' ? '' : JSON.parse(raw)) : jsonBody(raw);
}

/** What went over the wire for a member. */
export function bodyText(request: Request, member: string): string {
  const raw = request.raw(member) ?? '';
  return request.raw('format') === '"yaml"' ? String(JSON.parse(raw)) : raw;
}

function jsonBody(text: string): Body {
  const read = readJson(text);
  return 'error' in read ? { error: read.error.message } : { json: read.json, strict: [] };
}

/** The first document counts, as for the API server. */
function yamlBody(text: string): Body {
  const document = parseStream(text).documents[0]?.document;
  if (!document) return { json: null, strict: [] };
  const { error } = documentVerdict(document);
  if (error !== undefined) return { error };
  const strict = strictText(document);
  const body = jsonBody(toJson(document) ?? 'null');
  return 'error' in body || strict === undefined ? body : { json: body.json, strict: [strict] };
}
