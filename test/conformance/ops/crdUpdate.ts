import { readJson } from '../../../server/src/go/json.ts';
import { updateCrd } from '../../../server/src/kubernetes/crd/update.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/versions.ts';
import type { Answer, Request } from '../protocol.ts';
import { verdictAnswer } from './crdCreate.ts';

export function crdUpdate(request: Request, kubernetes: string): Answer {
  if (request.raw('format') === '"yaml"') return { unsupported: 'format yaml' };
  const old = readJson(request.raw('old') ?? 'null');
  const crd = readJson(request.raw('crd') ?? 'null');
  const version = kubernetesVersion(kubernetes);
  if ('error' in old || 'error' in crd || !version) return { unsupported: 'not a CRD update' };
  const notEstablished = request.raw('notEstablished') === 'true';
  return verdictAnswer(updateCrd(old.json, crd.json, { kubernetes: version, notEstablished }));
}
