import { type Delivery, repositoryOf } from './index.ts';
import { type Delivered, textIn } from './objects.ts';
import { repositoryName } from './onDisk.ts';

/** Whether a source is the repository that a file is in: nothing that is known says that it is another one. */
export function isThisRepository(delivery: Delivery, one: Delivered, source: Delivered | undefined): boolean {
  const url = source ? textIn(source, 'spec', 'url') : '';
  return isThisAddress(delivery, one, url);
}

/** Whether an address is that of the repository that a file is in: forks keep its name. */
export function isThisAddress(delivery: Delivery, one: Delivered, url: string): boolean {
  const names = repositoryOf(delivery, one.uri)?.names ?? [];
  return url === '' || names.length === 0 || names.includes(repositoryName(url));
}
