import { serveCrd } from '../../../server/src/kubernetes/cr/served.ts';
import { updateResource } from '../../../server/src/kubernetes/cr/update.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf, bodyText } from './body.ts';
import { resourceAnswer } from './crCreate.ts';

export function crUpdate(request: Request, name: string): Answer {
  const kubernetes = kubernetesVersion(name);
  if (!kubernetes) return { unsupported: name };
  const crd = bodyOf(request, 'crd');
  if ('error' in crd) return { decode: `crd: ${crd.error}` };
  const serving = serveCrd(crd.json, kubernetes);
  if ('error' in serving) return { decode: `crd: ${serving.error}` };
  const old = bodyOf(request, 'old');
  if ('error' in old) return { decode: `old: ${old.error}` };
  const obj = bodyOf(request, 'obj');
  if ('error' in obj) return { decode: obj.error };
  const verdict = updateResource(old.json, obj.json, serving, {
    kubernetes,
    oldText: bodyText(request, 'old'),
    text: bodyText(request, 'obj'),
    subresource: request.raw('subresource') === '"status"' ? 'status' : undefined,
  });
  return resourceAnswer(verdict, obj.strict);
}
