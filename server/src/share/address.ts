// Where the program is at home. A release puts the owner in.

/** The repository. */
export const repository = 'https://github.com/OWNER/kube-crd';

const site = 'https://OWNER.github.io/kube-crd';

export const playgroundAddress = `${site}/playground/`;

/** The page of a rule. */
export function ruleAddress(code: string): string {
  return `${site}/latest/rules/${code}.html`;
}
