/** The headers of a request, by their names in small letters. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Who makes a request. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** Who bears the token. */
export const administrator: User = {
  name: 'kubernetes-admin',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: new Map(),
};

/** Requests may be made in the name of another one; what users may do is everything, whoever they are. */
export function userOf(headers: Headers): User {
  const name = firstOf(headers['impersonate-user']);
  if (name === undefined) return administrator;
  // Node joins what comes several times.
  const groups = (firstOf(headers['impersonate-group']) ?? '').split(', ').filter((group) => group !== '');
  const extra = Object.entries(headers).flatMap(([header, value]): [string, string[]][] => {
    const [, key] = /^impersonate-extra-(.+)$/.exec(header) ?? [];
    return key === undefined ? [] : [[decodedKey(key), (firstOf(value) ?? '').split(', ')]];
  });
  const all = groups.includes('system:authenticated') ? groups : [...groups, 'system:authenticated'];
  return { name, uid: firstOf(headers['impersonate-uid']) ?? '', groups: all, extra: new Map(extra) };
}

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value);

function decodedKey(key: string): string {
  return key.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The name of the program that asks, without its version. */
export function agentOf({ 'user-agent': agent }: Headers): string {
  return (firstOf(agent) ?? '').split('/')[0]!.slice(0, 128) || 'unknown';
}
