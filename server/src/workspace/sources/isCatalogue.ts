import { catalogueName } from '../fileNames.ts';
import type { Entry } from '../files.ts';

/** How many of a folder's groups are looked at to tell whether it is a catalogue. */
const groupsLookedAt = 3;

/** Whether a folder holds JSON schemas as `{group}/{kind}_{version}.json`, and nothing that would be read otherwise. */
export async function isCatalogue(
  folder: string,
  entries: (folder: string) => Promise<readonly Entry[]>,
): Promise<boolean> {
  const groups = (await entries(folder)).filter(({ name, isFolder }) => isFolder && isGroup(name));
  for (const { name } of groups.slice(0, groupsLookedAt)) {
    const files = await entries(`${folder}/${name}`);
    if (files.length === 0 || files.some((file) => file.isFolder || !catalogueName.test(file.name))) return false;
  }
  return groups.length > 0;
}

/** Whether a folder of a catalogue has the name of a group. */
export const isGroup = (name: string) => /^[a-z0-9][a-z0-9-]*\.[a-z0-9.-]+$/.test(name);
