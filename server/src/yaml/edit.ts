/**
 * Text edits on a document: they say what the values become, and leave every line alone that they need not touch.
 * Where an edit cannot be made (the path leads nowhere, or through an alias) there are no edits.
 */
export type { Where } from './edit/entries.ts';
export { insertItem, insertKey } from './edit/insert.ts';
export { moveEntry } from './edit/move.ts';
export { quoteAt, writeAt } from './edit/quote.ts';
export { removeAt, removeNth } from './edit/remove.ts';
export { renameKey } from './edit/rename.ts';
export { setValue } from './edit/set.ts';
export { styleOf } from './edit/style.ts';
export { wrapInList } from './edit/wrap.ts';
