/** Why a CRD could not be made of types that are in packages which were not read. */
export function whyMissing(missing: readonly string[]): string {
  const [own, others] = [missing.filter(isOfGo), missing.filter((path) => !isOfGo(path))];
  const parts = [
    ...(others.length > 0 ? [`types of ${others.join(', ')} are not here (\`go mod download\` fetches modules)`] : []),
    ...(own.length > 0 ? [`types of ${own.join(', ')}, which comes with Go, are not read`] : []),
  ];
  return parts.join(', and ');
}

function isOfGo(path: string): boolean {
  return ofGo.has(path.split('/')[0]!);
}

/** What the packages begin with that come with Go. */
const ofGo = new Set([
  ...['archive', 'bufio', 'bytes', 'cmp', 'compress', 'container', 'context', 'crypto', 'database', 'debug', 'embed'],
  ...[
    'encoding',
    'errors',
    'expvar',
    'flag',
    'fmt',
    'go',
    'hash',
    'html',
    'image',
    'index',
    'io',
    'iter',
    'log',
    'maps',
  ],
  ...['math', 'mime', 'net', 'os', 'path', 'plugin', 'reflect', 'regexp', 'runtime', 'slices', 'sort', 'strconv'],
  ...['strings', 'structs', 'sync', 'syscall', 'testing', 'text', 'time', 'unicode', 'unique', 'unsafe', 'weak'],
]);
