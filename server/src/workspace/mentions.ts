import { ownText } from '../base/text.ts';

/** Which files name which kinds, kept while a workspace is read: a search for a kind then reads only those. */
export interface Mentions {
  readonly byWord: Map<string, Set<string>>;
  readonly byFile: Map<string, readonly string[]>;
}

export function newMentions(): Mentions {
  return { byWord: new Map(), byFile: new Map() };
}

/** The words on lines that say `kind`, and on those below: a kind may stand there. */
export function kindWords(text: string): string[] {
  const words = new Set<string>();
  for (const [, lines] of text.matchAll(/\bkind\b([^\r\n]*(?:\r\n|\r|\n)?[^\r\n]*)/g))
    for (const [word] of lines!.matchAll(/[A-Za-z][A-Za-z0-9-]*/g)) words.add(word);
  return [...words].map(ownText);
}

/** Takes in what a file says now; nothing where it is gone. */
export function mention({ byWord, byFile }: Mentions, uri: string, words: readonly string[]): void {
  for (const word of byFile.get(uri) ?? []) byWord.get(word)?.delete(uri);
  byFile.delete(uri);
  if (words.length === 0) return;
  byFile.set(uri, words);
  for (const word of words) {
    const files = byWord.get(word);
    if (files) files.add(uri);
    else byWord.set(word, new Set([uri]));
  }
}

export function filesNaming({ byWord }: Mentions, kind: string): readonly string[] {
  return [...(byWord.get(kind) ?? [])].sort();
}
