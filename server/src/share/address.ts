/** Where the playground and the site of the docs are served. A release puts the owner in. */
const site = 'https://OWNER.github.io/kube-crd';

export const playgroundAddress = `${site}/playground/`;
