// The badges of the README: what the tests on every change check, made from what says so.

export interface Badge {
  readonly file: string;
  readonly label: string;
  readonly value: string;
}

export interface Facts {
  /** Newest first. */
  readonly releases: readonly string[];
  readonly rules: number;
  /** The workflow that runs on every change. */
  readonly workflow: string;
  readonly dependencies: number;
}

export function badges({ releases, rules, workflow, dependencies }: Facts): Badge[] {
  const listed = (name: string) => new RegExp(`${name}: \\[([^\\]]*)\\]`).exec(workflow)?.[1]?.split(/,\s*/) ?? [];
  const systems = listed('os').map((name) => systemNames[name.split('-')[0] ?? ''] ?? name);
  const badge = (file: string, label: string, value: string) => ({
    file: `docs/images/badge-${file}.svg`,
    label,
    value,
  });
  return [
    badge('kubernetes', 'Kubernetes', `${releases.at(-1)} to ${releases[0]}`),
    badge('rules', 'rules', String(rules)),
    badge('systems', 'tested on', systems.join(', ')),
    badge('node', 'Node', listed('node').join(', ')),
    badge('editors', 'tried in', 'VS Code, VS Code for the web, Neovim, Emacs'),
    badge('dependencies', 'dependencies', dependencies === 0 ? 'none' : String(dependencies)),
  ];
}

const systemNames: Readonly<Record<string, string>> = { ubuntu: 'Linux', macos: 'macOS', windows: 'Windows' };

/** As wide as the letters are in the fonts that pages have. */
const widthOf = (text: string) => Math.round(text.length * 6.6) + 14;

export function drawn({ label, value }: Badge): string {
  const [left, right] = [widthOf(label), widthOf(value)];
  const text = (words: string, x: number) => `    <text x="${x}" y="14">${words}</text>\n`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${value}">\n`,
    `  <title>${label}: ${value}</title>\n`,
    `  <rect width="${left + right}" height="20" rx="4" fill="#1b2b4a"/>\n`,
    `  <path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-${right - 4}z" fill="#1f7a4d"/>\n`,
    '  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">\n',
    text(label, left / 2),
    text(value, left + right / 2),
    '  </g>\n</svg>\n',
  ].join('');
}

const [start, end] = ['<!-- badges: npm run gen -->\n', '<!-- end of badges -->'];

/** The text of the README with the badges between their two marks. */
export function withBadges(text: string, all: readonly Badge[]): string {
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error('the README has lost the marks around the badges');
  const lines = all.map(({ file, label, value }) => `![${label}: ${value}](${file})\n`);
  return `${text.slice(0, from + start.length)}${lines.join('')}${text.slice(to)}`;
}
