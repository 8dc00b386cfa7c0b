import { decode } from './uri.ts';

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
  const path = decode(uri.replace(/^[a-z][\w+.-]*:(\/\/[^/]*)?/i, ''));
  return patterns.filter(Boolean).some((pattern) => {
    const anywhere = pattern.startsWith('/') ? pattern : `/**/${pattern.replace(/^(\.\/|\*\*\/)+/, '')}`;
    const whole = anywhere.replace(/\/$/, '');
    return globExpression(whole).test(path) || globExpression(`${whole}/**`).test(path);
  });
}
