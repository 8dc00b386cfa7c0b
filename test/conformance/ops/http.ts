import { type ServedCrd, type Serving, serveCrd } from '../../../server/src/kubernetes/cr/served.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { httpAnswer as answerOf, type FieldValidation, type HttpAnswer } from '../../../server/src/serve/answers.ts';
import { cleaned } from '../exchange.ts';
import type { Plain } from '../normal.ts';
import type { Request } from '../protocol.ts';
import { bodyOf, sentOf } from './body.ts';

/** What we say a real API server answers to a request of the oracle's protocol. */
export function httpAnswer(request: Request, validation: FieldValidation): Plain {
  const isCrd = request.raw('obj') === undefined;
  const served = isCrd ? undefined : servedOnce(request);
  if (served && 'error' in served) return { unserved: served.error };
  const answer = answerOf({
    body: sentOf(request, isCrd ? 'crd' : 'obj'),
    crd: served as ServedCrd | undefined,
    old: request.raw('old') === undefined ? undefined : sentOf(request, 'old'),
    subresource: request.raw('subresource') === '"status"' ? 'status' : undefined,
    ...(request.raw('apply') === 'true' && { applied: { last: undefined } }),
    validation,
    kubernetes: newestVersion,
  });
  return 'unserved' in answer ? { unserved: answer.unserved } : plain(answer);
}

function plain({ code, warnings, body, message, causes, managed }: HttpAnswer): Plain {
  return {
    code,
    ...(warnings && { warnings: [...warnings] }),
    ...(causes && { causes: causes.map((one) => ({ ...one })) }),
    ...(message !== undefined && { message }),
    ...(body !== undefined && { body: body === null ? null : cleaned(body) }),
    ...(code === 0 && { body: '' }),
    ...(managed !== undefined && { managers: [JSON.parse(managed)] }),
  };
}

const mostServed = 20;
const servedTexts = new Map<string, Serving>();

/** Questions about one CRD mostly follow each other. */
function servedOnce(request: Request): Serving {
  const text = request.raw('crd') ?? '';
  let served = servedTexts.get(text);
  if (!served) {
    const definition = bodyOf(request, 'crd');
    served = 'error' in definition ? definition : serveCrd(definition.json, newestVersion);
    if (servedTexts.size >= mostServed) servedTexts.clear();
    servedTexts.set(text, served);
  }
  return served;
}
