import { type Delivery, repositoryOf } from './index.ts';
import { type Delivered, textIn } from './objects.ts';
import { repositoryName } from './onDisk.ts';

/** Whether a source is the repository that a file is in: nothing that is known says that it is another one. */
export function isThisRepository(delivery: Delivery, one: Delivered, source: Delivered | undefined): boolean {
  const url = source ? textIn(source, 'spec', 'url') : '';
  // What is pinned may be another state of it than the one at hand.
  const isPinned = source && ['tag', 'semver', 'commit'].some((key) => textIn(source, 'spec', 'ref', key) !== '');
  return !isPinned && isThisAddress(delivery, one, url);
}

/** Whether Argo CD is told of one state of a repository, which may be another than the one at hand. */
export function isPinned(revision: string): boolean {
  return /^v?\d+\.|^[0-9a-f]{7,40}$|^refs\/tags\//.test(revision);
}

/** Whether an address is that of the repository that a file is in: forks keep its name. */
export function isThisAddress(delivery: Delivery, one: Delivered, url: string): boolean {
  const names = repositoryOf(delivery, one.uri)?.names ?? [];
  return url === '' || names.length === 0 || names.includes(repositoryName(url));
}
