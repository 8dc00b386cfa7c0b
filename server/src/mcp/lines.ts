/** A message larger than this is not read: a manifest of the largest size that is judged fits, written as JSON. */
const mostCharacters = 40_000_000;

/** The lines of a stream, each as soon as it is whole; undefined for one that is too long, of which nothing is kept. */
export async function* linesOf(stream: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let kept: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const [first = '', ...others] = chunk.split('\n');
    for (const [i, part] of [first, ...others].entries()) {
      if (i > 0) {
        yield length > mostCharacters ? undefined : kept.join('');
        kept = [];
        length = 0;
      }
      length += part.length;
      if (length <= mostCharacters) kept.push(part);
      else kept = [];
    }
  }
  if (length > 0) yield length > mostCharacters ? undefined : kept.join('');
}
