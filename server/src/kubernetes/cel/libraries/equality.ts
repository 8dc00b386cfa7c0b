import type { CallEstimate, CostNode } from '../../../cel/estimate.ts';
import { traverse } from '../../../cel/libraries/walks.ts';
import { oneUnit } from '../../../cel/range.ts';
import { runtimeText } from '../../../cel/types.ts';
import { authorizerTypes, cidrType, formatType, ipType, quantityType, semverType, urlType } from './types.ts';

const longestFormat = 64;

/** What `==` costs on Kubernetes' own types. */
export function equalityCost(left: CostNode, right: CostNode): CallEstimate | undefined {
  const { type } = left;
  if (type.params.length > 0 || runtimeText(type) !== runtimeText(right.type)) return undefined;
  if (type === ipType || type === cidrType || type === quantityType || type === semverType) return { cost: oneUnit };
  if (authorizerTypes.includes(type)) return { cost: oneUnit };
  if (type === formatType) return { cost: traverse({ min: 1, max: longestFormat }) };
  if (type !== urlType) return undefined;
  // Kubernetes looks at the right side twice.
  return { cost: traverse({ min: 1, max: right.computed?.max ?? 1 }) };
}
