// The steps of JSON pointers (RFC 6901), in which `~` and `/` of a name are escaped.

export function escapedStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function unescapedStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The names on the way that a pointer describes. */
export function pointerSteps(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapedStep);
}
