import { FetchFailure } from '../workspace/fetcher.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for an address: the one that is given, or what the environment says; undefined where there is none. */
export function proxyFor(url: URL, given?: string, env: Environment = process.env): URL | undefined {
  if (isExcepted(url, env.NO_PROXY ?? env.no_proxy ?? '')) return undefined;
  const text = given || env.HTTPS_PROXY || env.https_proxy || env.ALL_PROXY || env.all_proxy || '';
  if (text === '') return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  throw new FetchFailure(`the proxy ${proxy ? proxy.protocol : text} cannot be used: it is not an http proxy`);
}

/** As curl and Go read NO_PROXY: names stand for all below them too, `*` for everything, and a port may be given. */
function isExcepted({ hostname, port }: URL, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((one) => {
      if (one === '*') return true;
      const [, name = '', at] = /^(.*?)(?::(\d+))?$/.exec(one.toLowerCase()) ?? [];
      const bare = name.replace(/^\*?\./, '');
      return (hostname === bare || hostname.endsWith(`.${bare}`)) && (at === undefined || at === (port || '443'));
    });
}
