/** `leadingZeros`: as Go parsed addresses before 1.17 and Kubernetes still does in places. */
function isIpv4(text: string, leadingZeros: boolean): boolean {
  const parts = text.split('.');
  const part = leadingZeros ? /^\d+$/ : /^(?:0|[1-9]\d*)$/;
  return parts.length === 4 && parts.every((item) => part.test(item) && Number(item) <= 255);
}

/** With the address's last two groups written as IPv4, as if they were hexadecimal. */
function withoutIpv4(text: string, leadingZeros: boolean): string | undefined {
  if (!text.includes('.')) return text;
  const at = text.lastIndexOf(':') + 1;
  return isIpv4(text.slice(at), leadingZeros) ? `${text.slice(0, at)}0:0` : undefined;
}

function isIpv6(text: string, leadingZeros: boolean): boolean {
  const plain = withoutIpv4(text, leadingZeros);
  const halves = plain?.split('::') ?? [];
  if (halves.length === 0 || halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (halves.length === 1 && plain === '') return false;
  const digits = leadingZeros ? /^0*[0-9A-Fa-f]{1,4}$/ : /^[0-9A-Fa-f]{1,4}$/;
  if (!groups.every((item) => digits.test(item))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}

/** Go's net.ParseIP. */
export function isIp(text: string): boolean {
  return isAddress(text, false);
}

/** Kubernetes' ParseIPSloppy: leading zeros do not matter. */
export function isSloppyIp(text: string): boolean {
  return isAddress(text, true);
}

/** The first of a dot and a colon says which kind it is. */
function isAddress(text: string, leadingZeros: boolean): boolean {
  const first = /[.:]/.exec(text)?.[0];
  if (first === '.') return isIpv4(text, leadingZeros);
  return first === ':' && isIpv6(text, leadingZeros);
}

/** Kubernetes' ParseCIDRSloppy. */
export function isSloppyCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const [address, mask] = [text.slice(0, slash), text.slice(slash + 1)];
  const bits = isIpv4(address, true) ? 32 : isIpv6(address, true) ? 128 : undefined;
  return bits !== undefined && /^\d+$/.test(mask) && Number(mask) <= bits;
}

/** Go's net.ParseMAC. */
export function isMac(text: string): boolean {
  if (text.length < 12) return false;
  const forms = [
    /^[0-9a-f]{2}(?::[0-9a-f]{2})+$/i,
    /^[0-9a-f]{2}(?:-[0-9a-f]{2})+$/i,
    /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i,
    /^[0-9a-f]+$/i,
  ];
  const digits = text.replace(/[^0-9a-f]/gi, '').length;
  return forms.some((form) => form.test(text)) && [12, 16, 40].includes(digits);
}
