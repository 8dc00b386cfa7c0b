import { type SourceFile, sourceFile } from '../sourceFile.ts';

/** Characters of the texts that are kept with what was read of them. */
const mostCharacters = 8_000_000;

/** What was read of texts that are built: overlays that leave a resource as it is have the same. */
export class BuiltSources {
  private readonly byText = new Map<string, SourceFile>();
  /** By its place in a build: of what did not change of it nothing is read again. */
  private readonly before = new Map<string, SourceFile>();
  private left = mostCharacters;

  of(uri: string, text: string, place: string): SourceFile {
    const key = `${uri}\n${text}`;
    const known = this.byText.get(key);
    const source = known ?? sourceFile(uri, text, { made: true, previous: this.previous(uri, place) });
    if (!known) this.take(text.length);
    this.byText.set(key, source);
    this.before.set(place, source);
    return source;
  }

  private take(characters: number): void {
    this.left -= characters;
    if (this.left > 0) return;
    this.byText.clear();
    this.before.clear();
    this.left = mostCharacters;
  }

  private previous(uri: string, place: string): SourceFile | undefined {
    const previous = this.before.get(place);
    return previous?.uri === uri ? previous : undefined;
  }
}
