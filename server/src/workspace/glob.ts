/** What a glob of the settings matches: `**` crosses folders, `*` and `?` stay within a name. */
export function globExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*[/\\]|\*\*|\*|\?/g, (magic) => magics[magic] ?? '(?:.*[/\\\\])?');
  return new RegExp(`^${source}$`);
}

const magics: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/\\\\]*', '?': '[^/\\\\]' };

/** Whether one of several globs names a file, or a folder that it is in. One without a slash in front matches anywhere. */
export function isNamedBy(patterns: readonly string[], uri: string): boolean {
  const path = decodedPath(uri);
  return patterns.filter(Boolean).some((pattern) => {
    const anywhere = pattern.startsWith('/') ? pattern : `/**/${pattern.replace(/^(\.\/|\*\*\/)+/, '')}`;
    const whole = anywhere.replace(/\/$/, '');
    return globExpression(whole).test(path) || globExpression(`${whole}/**`).test(path);
  });
}

function decodedPath(uri: string): string {
  const path = uri.replace(/^[a-z][\w+.-]*:(\/\/[^/]*)?/i, '');
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: the path stands as it came.
    return path;
  }
}
