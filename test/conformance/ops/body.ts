import { type Json, readJson } from '../../../server/src/gostd/json.ts';
import { parseDocument } from '../../../server/src/yaml/document.ts';
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

/** The server does not split a body as kubectl splits files; the first document in it counts. */
function yamlBody(text: string): Body {
  if (text === '') return { json: null, strict: [] };
  const document = parseDocument(text);
  const { error } = documentVerdict(document);
  if (error !== undefined) return { error: errorAsSent(text, error) };
  const strict = strictText(document);
  const body = jsonBody(toJson(document) ?? 'null');
  return 'error' in body || strict === undefined ? body : { json: body.json, strict: [strict] };
}

/** Documents are read as clients read files, whose last line always ends. The last line of a body need not. */
function errorAsSent(text: string, error: string): string {
  const endless = /^yaml: line (\d+): found unexpected end of stream$/.exec(error);
  if (!endless || /[\n\r]$/.test(text)) return error;
  const line = Number(endless[1]) - 1;
  return line === 1 ? error.replace(/line \d+: /, '') : error.replace(/\d+/, String(line));
}
