// The steps of JSON pointers (RFC 6901), in which `~` and `/` of a name are escaped.

export function escapedStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function unescapedStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
