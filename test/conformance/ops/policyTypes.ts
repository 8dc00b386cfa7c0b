import { typeCheck } from '../../../server/src/kubernetes/policy/typeCheck.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { policyTypesFor } from '../../../server/src/workspace/policyTypes.ts';
import { fileAt } from '../../../server/src/workspace/snapshot.ts';
import { builtinFile, snapshotOf } from '../../support/workspace.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf, bodyText } from './body.ts';

const uri = 'file:///policy.yaml';

/** What the type checking of a policy finds, where the cluster has the built-in kinds and some CRDs. */
export function policyTypes(request: Request, name: string): Answer {
  const version = kubernetesVersion(name);
  if (!version) return { unsupported: name };
  const obj = bodyOf(request, 'obj');
  if ('error' in obj) return { decode: obj.error };
  const crds: unknown[] = JSON.parse(bodyText(request, 'crds') || '[]');
  const files = crds.map((crd, i) => ({ uri: `file:///${i}.yaml`, text: JSON.stringify(crd) }));
  const opened = snapshotOf([{ uri, text: bodyText(request, 'obj') }, ...files], { kubernetes: name });
  const snapshot = { ...opened, builtin: builtinFile() };
  const manifest = fileAt(snapshot, uri)?.manifests[0];
  const types = manifest && policyTypesFor(snapshot, uri, manifest, []);
  if (!types) return { unsupported: 'a text that holds no policy' };
  // The oracle takes numbers out of the names of types, and so does this.
  const errors = typeCheck(manifest.value, types.objects, types.params, version).map(({ fieldRef, warning }) => ({
    type: 'ExpressionWarning',
    field: fieldRef,
    message: warning.replace(/(?<=\b[A-Z][A-Za-z]*)1\b/g, ''),
  }));
  return errors.length === 0 ? {} : { errors };
}
