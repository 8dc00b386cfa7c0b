import { isMap, type ValueMap } from '../../../server/src/base/value.ts';
import { plainValue } from '../../../server/src/gostd/json.ts';
import { judgeBuiltin } from '../../../server/src/kubernetes/builtin/judge.ts';
import { builtinKindsOf } from '../../../server/src/kubernetes/builtin/kinds.ts';
import type { Said } from '../../../server/src/kubernetes/finding.ts';
import { judgeAdmission } from '../../../server/src/kubernetes/policy/admission.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../../../server/src/kubernetes/releases/release.ts';
import { builtinFile } from '../../support/workspace.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';
import { decodedAs } from './builtin.ts';

/** What the API server says about a new or changed object of admissionregistration.k8s.io. */
export function policy(request: Request, name: string): Answer {
  const version = kubernetesVersion(name);
  if (!version) return { unsupported: name };
  const object = objectOf(request, 'obj');
  const old = request.raw('old') === undefined ? undefined : objectOf(request, 'old');
  const kinds = builtinKindsOf(builtinFile(), version);
  const kind = kinds.kinds.get(`${object.get('apiVersion')}/${object.get('kind')}`);
  if (!kind) return { decode: unknownKind(object, version) };
  // Of kinds that no release serves any more, the fields are not known.
  const decoded: Answer = kind.isGone ? {} : decodedAs(request, kind, kinds, version);
  if (decoded.decode) return decoded;
  // An update of metadata is none of the kind's own.
  const metadata = old ? [] : judgeBuiltin(object, kind, kinds, version).metadata;
  const { errors, warnings } = judgeAdmission(object, old, version);
  const found = [...metadata, ...errors].map(({ type, field, message }: Said) => ({ type, field, message }));
  return {
    ...decoded,
    ...(found.length > 0 ? { errors: found } : {}),
    ...(found.length === 0 && warnings.length > 0 ? { warnings: warnings.map(({ message }) => message) } : {}),
  };
}

function unknownKind(object: ValueMap, { schemeName }: KubernetesVersion): string {
  const [kind, apiVersion] = [String(object.get('kind')), String(object.get('apiVersion'))];
  const found = `no kind "${kind}" is registered for version "${apiVersion}" in scheme "${schemeName}"`;
  return `${kind} in version "${apiVersion.replace(/.*\//, '')}" cannot be handled as a ${kind}: ${found}`;
}

function objectOf(request: Request, member: string): ValueMap {
  const body = bodyOf(request, member);
  const value = 'json' in body ? plainValue(body.json) : undefined;
  return isMap(value) ? value : new Map();
}
