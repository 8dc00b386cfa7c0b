/** What was parsed and may be asked for again: a text that a build takes is checked as a file as well, and so is one that defines kinds. */

/** What is made of texts, as long as those have no more than some characters together. */
export class KeptTexts<T> {
  /** What nobody has asked for yet: it stays. */
  private readonly unasked = new Map<string, T>();
  /** The last used one is the last. */
  private readonly asked = new Map<string, T>();
  private room = 0;

  /** Keeps what is made of so many characters; of none before somebody says so. */
  keep(characters: number): void {
    this.room = characters;
    this.unasked.clear();
    this.asked.clear();
  }

  get(text: string): T | undefined {
    const found = this.unasked.get(text) ?? this.asked.get(text);
    if (found === undefined) return undefined;
    this.unasked.delete(text);
    this.asked.delete(text);
    this.asked.set(text, found);
    return found;
  }

  /** What was asked for again makes room for others. */
  set(text: string, of: T): void {
    const size = sizeOf(text);
    if (this.room < size) this.makeRoom(size);
    if (this.room < size) return;
    this.room -= size;
    this.unasked.set(text, of);
  }

  private makeRoom(characters: number): void {
    for (const text of this.asked.keys()) {
      if (this.room >= characters) return;
      this.asked.delete(text);
      this.room += sizeOf(text);
    }
  }
}

/** Each takes some room, however short it is. */
function sizeOf(text: string): number {
  return text.length + 500;
}
