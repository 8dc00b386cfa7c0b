import { updateCrd } from '../../../server/src/kubernetes/crd/update.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';
import { verdictAnswer, withStrict } from './crdCreate.ts';

export function crdUpdate(request: Request, kubernetes: string): Answer {
  const old = bodyOf(request, 'old');
  const crd = bodyOf(request, 'crd');
  const version = kubernetesVersion(kubernetes);
  if (!version) return { unsupported: kubernetes };
  if ('error' in old) return { decode: `old: ${old.error}` };
  if ('error' in crd) return { decode: crd.error };
  const notEstablished = request.raw('notEstablished') === 'true';
  return withStrict(verdictAnswer(updateCrd(old.json, crd.json, { kubernetes: version, notEstablished })), crd.strict);
}
