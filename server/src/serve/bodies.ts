import { type Json, readJson } from '../gostd/json.ts';
import { parseDocument } from '../yaml/document.ts';
import { documentVerdict, strictText, toJson } from '../yaml/value.ts';
/** An object as it comes over the wire, read; with what strict decoding of YAML adds. */
export type Body = { readonly json: Json; readonly strict: readonly string[] } | { readonly error: string };

export interface Sent {
  readonly text: string;
  readonly isYaml?: boolean;
}

export function readBody({ text, isYaml = false }: Sent): Body {
  return isYaml ? yamlBody(text) : jsonBody(text);
}

function jsonBody(text: string): Body {
  const read = readJson(text);
  return 'error' in read
    ? { error: `couldn't get version/kind; json parse error: ${read.error.message}` }
    : { json: read.json, strict: [] };
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
