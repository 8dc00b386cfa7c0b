/** What was parsed and may be asked for again: a text that a build takes is checked as a file as well, and so is one that defines kinds. */

interface Kept<T> {
  readonly of: T;
  isUsed: boolean;
}

/** What is made of texts, as long as those have no more than some characters together. */
export class KeptTexts<T> {
  private readonly byText = new Map<string, Kept<T>>();
  private room = 0;

  /** Keeps what is made of so many characters; of none before somebody says so. */
  keep(characters: number): void {
    this.room = characters;
    this.byText.clear();
  }

  get(text: string): T | undefined {
    const found = this.byText.get(text);
    if (!found) return undefined;
    // The last used one is the last.
    this.byText.delete(text);
    this.byText.set(text, found);
    found.isUsed = true;
    return found.of;
  }

  /** What was asked for again makes room for others; what nobody has asked for yet stays. */
  set(text: string, of: T): void {
    const size = sizeOf(text);
    if (this.room < size) this.makeRoom(size);
    if (this.room < size) return;
    this.room -= size;
    this.byText.set(text, { of, isUsed: false });
  }

  private makeRoom(characters: number): void {
    for (const [text, { isUsed }] of this.byText) {
      if (this.room >= characters) return;
      if (!isUsed) continue;
      this.byText.delete(text);
      this.room += sizeOf(text);
    }
  }
}

/** Each takes some room, however short it is. */
function sizeOf(text: string): number {
  return text.length + 500;
}
