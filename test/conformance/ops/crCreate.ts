import { createResource } from '../../../server/src/kubernetes/cr/create.ts';
import { serveCrd } from '../../../server/src/kubernetes/cr/served.ts';
import type { ResourceVerdict } from '../../../server/src/kubernetes/cr/verdict.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf, bodyText } from './body.ts';
import { verdictAnswer, withStrict } from './crdCreate.ts';

export function resourceAnswer(verdict: ResourceVerdict, strict: readonly string[]): Answer {
  if (verdict.leftOut.length > 0) return { unsupported: 'rules over objects' };
  return withStrict(verdictAnswer(verdict), strict);
}

export function crCreate(request: Request, name: string): Answer {
  const kubernetes = kubernetesVersion(name);
  if (!kubernetes) return { unsupported: name };
  const crd = bodyOf(request, 'crd');
  if ('error' in crd) return { decode: `crd: ${crd.error}` };
  const serving = serveCrd(crd.json, kubernetes);
  if ('error' in serving) return { decode: `crd: ${serving.error}` };
  const obj = bodyOf(request, 'obj');
  if ('error' in obj) return { decode: obj.error };
  const options = { kubernetes, text: bodyText(request, 'obj') };
  return resourceAnswer(createResource(obj.json, serving, options), obj.strict);
}
