import { isMap, type Value } from '../base/value.ts';
import { plainValue } from '../gostd/json.ts';
import { judgeBuiltin } from '../kubernetes/builtin/judge.ts';
import type { BuiltinKind, BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import { validateBuiltinUpdate } from '../kubernetes/builtin/validation/update.ts';
import { judgeAdmission } from '../kubernetes/policy/admission.ts';
import { hostGroup } from '../kubernetes/policy/hosts.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type FieldValidation, statusText, unrecognized } from './answers.ts';
import { readBody } from './bodies.ts';
import { withDefaults } from './defaults.ts';
import { type JsonMap, mapOf } from './json.ts';
import type { Judged } from './serving.ts';
import { asWritten } from './written.ts';

/** The answer to an object of a kind that Kubernetes has built in: it is decoded, validated, and kept without defaults. */
export function builtinAnswer(
  text: string,
  old: JsonMap | undefined,
  kind: BuiltinKind,
  { kubernetes, builtin }: { readonly kubernetes: KubernetesVersion; readonly builtin: BuiltinKinds },
  validation: FieldValidation,
  subresource: string | undefined,
): Judged {
  const read = readBody({ text });
  const refused = (problem: string): Judged => {
    return {
      code: 400,
      message: `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${problem}`,
    };
  };
  const unread = (problem: string): Judged => {
    return { code: 400, message: unrecognized(kind.kind, problem, text) };
  };
  if ('error' in read) return unread(read.error);
  const sent = plainValue(read.json);
  if (!isMap(sent)) return unread('json: cannot unmarshal into an object');
  // What does not say what it is, is what its path says.
  const value = new Map<string, Value>([['apiVersion', kind.apiVersion], ['kind', kind.kind], ...sent]);
  const [named, version] = [value.get('kind'), value.get('apiVersion')];
  if (named !== kind.kind || version !== kind.apiVersion) return misplaced(kind, String(version), String(named));
  const { decode, strict, metadata, validation: wrong, warnings } = judgeBuiltin(value, kind, builtin, kubernetes);
  const [first] = decode;
  if (first) return refused(first.message);
  const unknown = strict.map(({ message }) => message);
  if (validation === 'Strict' && unknown.length > 0) return refused(`strict decoding error: ${unknown.join(', ')}`);
  const said = [...(validation === 'Warn' ? unknown : []), ...warnings.map(({ message }) => message)];
  const before = old && mapOf(old);
  const hosts = kind.group === hostGroup ? judgeAdmission(value, before, kubernetes) : undefined;
  const own = before ? validateBuiltinUpdate(value, before, kind, kubernetes) : wrong;
  const errors = [...metadata, ...own, ...(hosts?.errors ?? [])];
  if (errors.length > 0) {
    const causes = errors.map(({ type, field, message }) => ({
      reason: type,
      message,
      ...(field !== '' && { field }),
    }));
    return { code: 422, warnings: said, causes, message: statusText(errors, value) };
  }
  return {
    code: old ? 200 : 201,
    warnings: [...said, ...(hosts?.warnings ?? []).map(({ message }) => message)],
    body: withDefaults(kept(bodyOf(text, kind, builtin), old, kind, builtin, subresource)),
  };
}

const bodyOf = (text: string, { apiVersion, kind, root }: BuiltinKind, builtin: BuiltinKinds): JsonMap => ({
  apiVersion,
  kind,
  ...asWritten(JSON.parse(text), root, builtin),
});

function misplaced(kind: BuiltinKind, version: string, named: string): Judged {
  if (version !== kind.apiVersion) {
    const message = `the API version in the data (${version}) does not match the expected API version (${kind.apiVersion})`;
    return { code: 400, message };
  }
  return {
    code: 400,
    message: `${named} in version "${kind.version}" cannot be handled as a ${kind.kind}: the kind in the data does not match`,
  };
}

/** Whoever writes an object leaves its status as it was, and the other way round. */
function kept(
  body: JsonMap,
  old: JsonMap | undefined,
  kind: BuiltinKind,
  builtin: BuiltinKinds,
  subresource: string | undefined,
): JsonMap {
  if (!builtin.object(kind.root).fields.some(({ name }) => name === 'status')) return body;
  if (!old) {
    const { status: _, ...rest } = body;
    return rest;
  }
  const { status, ...rest } = subresource === 'status' ? old : body;
  const wanted = (subresource === 'status' ? body : old).status;
  const metadata = subresource === 'status' ? { metadata: body.metadata ?? {} } : {};
  return { ...rest, ...metadata, ...(wanted !== undefined && { status: wanted }) };
}
