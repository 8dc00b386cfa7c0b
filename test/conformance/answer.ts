import type { FieldValidation } from './exchange.ts';
import { stable } from './normal.ts';
import { argoBuild } from './ops/argo.ts';
import { builtin } from './ops/builtin.ts';
import { builtinValidate } from './ops/builtinValidate.ts';
import { cel } from './ops/cel.ts';
import { crCreate } from './ops/crCreate.ts';
import { crdCreate } from './ops/crdCreate.ts';
import { crdRules } from './ops/crdRules.ts';
import { crdUpdate } from './ops/crdUpdate.ts';
import { crUpdate } from './ops/crUpdate.ts';
import { fluxBuild, fluxSubstitute, fluxValues } from './ops/flux.ts';
import { goCrd } from './ops/goCrd.ts';
import { goParse } from './ops/goParse.ts';
import { helm, helmTemplate } from './ops/helm.ts';
import { hosts } from './ops/hosts.ts';
import { hostsEval } from './ops/hostsEval.ts';
import { httpAnswer } from './ops/http.ts';
import { kustomize } from './ops/kustomize.ts';
import { policy } from './ops/policy.ts';
import { policyEval } from './ops/policyEval.ts';
import { policyTypes } from './ops/policyTypes.ts';
import { rgd } from './ops/rgd.ts';
import { version } from './ops/version.ts';
import { xrd } from './ops/xrd.ts';
import { yaml } from './ops/yaml.ts';
import { type Answer, encode, type Op, parseRequest, type Request } from './protocol.ts';
import { statusText } from './status.ts';

const ops: Readonly<Record<string, Op>> = {
  version,
  yaml,
  'crd.create': crdCreate,
  'crd.update': crdUpdate,
  'crd.rules': crdRules,
  'cr.create': crCreate,
  'cr.update': crUpdate,
  cel,
  builtin,
  'builtin.validate': builtinValidate,
  policy,
  'hosts.eval': hostsEval,
  'policy.eval': policyEval,
  'policy.types': policyTypes,
  hosts,
  helm,
  'helm.template': helmTemplate,
  kustomize,
  'flux.substitute': fluxSubstitute,
  'flux.values': fluxValues,
  'flux.build': fluxBuild,
  'argo.build': argoBuild,
  rgd,
  xrd,
  'go.crd': goCrd,
  'go.parse': goParse,
};

const validations: readonly FieldValidation[] = ['Strict', 'Warn', 'Ignore'];

/** How unknown fields are to be treated, in a request of the operation `http`; clients want them refused. */
export function fieldValidation(request: Request): FieldValidation {
  return validations.find((one) => request.raw('fieldValidation') === JSON.stringify(one)) ?? 'Strict';
}

/** Our engine's answer to one line of the oracle's protocol, as a line without its end. */
export function answerLine(line: string, kubernetes: string): string {
  const request = parseRequest(line);
  if (request.op === 'http') return stable(httpAnswer(request, fieldValidation(request)));
  const op = ops[request.op];
  const answer: Answer = op === undefined ? { unsupported: request.op } : op(request, kubernetes);
  const id = request.raw('id');
  const status = statusText(answer);
  return encode({
    ...(id !== undefined && { id: { rawJson: id } }),
    ...answer,
    ...(status !== undefined && { status }),
  });
}
