const directive =
  /%[#0+\- ]*(\[(?:[^\]]*\])?)?(\*|\d+)?(?:\.(\[(?:[^\]]*\])?)?(\*|\d+)?)?(\[(?:[^\]]*\])?)?([\s\S]|$)/gu;

/** Go's Sprintf without arguments, which is what becomes of a text that is taken for a format by mistake. */
export function formatNothing(text: string): string {
  return text.replace(directive, (_all, ...parts: (string | undefined)[]) => {
    const [first, width, second, precision, third, verb] = parts;
    const missing = `${width === '*' ? '%!(BADWIDTH)' : ''}${precision === '*' ? '%!(BADPREC)' : ''}`;
    if (verb === '') return `${missing}%!(NOVERB)`;
    if (verb === '%') return `${missing}%`;
    return `${missing}%!${verb}(${(first ?? second ?? third) === undefined ? 'MISSING' : 'BADINDEX'})`;
  });
}
