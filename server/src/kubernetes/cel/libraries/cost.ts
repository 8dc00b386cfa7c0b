import { type CallEstimate, type CostCall, type CostNode, type Estimator, nodeSize } from '../../../cel/cost.ts';
import { add, exactly, oneUnit, type Range, scale } from '../../../cel/range.ts';
import { regexCost } from '../../../cel/stdlib/estimates.ts';
import { runtimeText } from '../../../cel/types.ts';
import { authorizerTypes, cidrType, formatType, ipType, quantityType, semverType, urlType } from './types.ts';

export const stringFactor = 0.1;
const regexFactor = 0.25;

/** As many walks over the first argument as `walks` says. */
export function walkArgument(walks: number): Estimator {
  return ({ args, model }) =>
    args.length === 0 ? undefined : { cost: scale(nodeSize(args[0]!, model), walks * stringFactor) };
}

/** Parsing a URL: one walk, and a result as large as the text. */
export const parseUrl: Estimator = ({ args, model }) => {
  const size = nodeSize(args[0]!, model);
  return { cost: scale(size, stringFactor), size };
};

export const find: Estimator = ({ target, args, model }) => {
  const size = nodeSize(target!, model);
  return { cost: regexCost(size, nodeSize(args[0]!, model)), size: { min: 0, max: size.max } };
};

const longestNameRegex = 128;

export const validateFormat: Estimator = ({ args, model }) => {
  const walk = scale(nodeSize(args[0]!, model), stringFactor);
  return { cost: scale(walk, longestNameRegex * regexFactor) };
};

/** An authorization check is so expensive that an expression can make two. */
export const authorize: Estimator = () => ({ cost: exactly(350_000) });

/** A selector is parsed into requirements: 50 units for every two bytes, besides the walk. */
export const selector: Estimator = ({ args, model }) => {
  const size = nodeSize(args[0]!, model);
  const parse = scale(size, stringFactor);
  const requirements = scale(scale(size, 0.5), 50);
  return { cost: add(add(parse, requirements), exactly(10)) };
};

/** An address is 4 or 16 bytes. */
const address: Range = { min: 4, max: 16 };
const compareAddresses = scale(add(address, address), stringFactor);

function withText(id: string, cost: Range): Estimator {
  return ({ call, args, model }: CostCall) => {
    // Kubernetes asks by overload; where a call may be of either, each is estimated on its own.
    const text = call.overloads.some((overload) => overload.id === id);
    return { cost: text ? add(cost, scale(nodeSize(args[0]!, model), stringFactor)) : cost };
  };
}

export const containsIpText = withText('cidr_contains_ip_string', compareAddresses);
export const containsIp: Estimator = () => ({ cost: compareAddresses });
const compareNetworks = add(add(compareAddresses, scale(address, stringFactor)), oneUnit);
export const containsCidrText = withText('cidr_contains_cidr_string', compareNetworks);
export const containsCidr: Estimator = () => ({ cost: compareNetworks });

const longestFormat = 64;

/** What `==` costs on Kubernetes' own types. */
export function equalityCost(left: CostNode, right: CostNode): CallEstimate | undefined {
  const { type } = left;
  if (type.params.length > 0 || runtimeText(type) !== runtimeText(right.type)) return undefined;
  if (type === ipType || type === cidrType || type === quantityType || type === semverType) return { cost: oneUnit };
  if (authorizerTypes.includes(type)) return { cost: oneUnit };
  if (type === formatType) return { cost: scale({ min: 1, max: longestFormat }, stringFactor) };
  if (type !== urlType) return undefined;
  // Kubernetes looks at the right side twice.
  return { cost: scale({ min: 1, max: right.computed?.max ?? 1 }, stringFactor) };
}
