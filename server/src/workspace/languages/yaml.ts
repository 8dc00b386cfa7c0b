import { withGiven } from '../delivery/uses.ts';
import { fileAt, withOpen, withoutOpen } from '../snapshot.ts';
import { sourceFile } from '../sourceFile.ts';
import type { Language } from './language.ts';

/** YAML, with or without objects of Kubernetes; and whatever else an editor opens with us. */
export const yaml: Language = {
  isOf: () => true,
  isKnownOnDisk: true,
  withText: (snapshot, { uri, text, languageId, origin }, edit) => {
    const previous = snapshot.open.get(uri);
    return withGiven(withOpen(snapshot, sourceFile(uri, text, { languageId, previous, edit, origin })));
  },
  without: (snapshot, uri) => withGiven(withoutOpen(snapshot, uri)),
  textAt: (snapshot, uri) => fileAt(snapshot, uri)?.text,
};
