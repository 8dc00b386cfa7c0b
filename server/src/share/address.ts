// Where the program is at home. A release puts the owner in.

/** The repository. */
export const repository = 'https://github.com/OWNER/kube-crd';

const site = 'https://OWNER.github.io/kube-crd';

export const playgroundAddress = `${site}/playground/`;

/** Whether a release has put the owner in, so that there is a site. It replaces the word, so here it is not in one. */
export const isPublished = !site.includes('://OWN' + 'ER.');

/** The page of a rule. */
export function ruleAddress(code: string): string {
  return `${site}/latest/rules/${code}.html`;
}
