/** A shell; or, as a text, why it cannot be had. */
export function shell(name: string): string | { readonly command: string; readonly env: Readonly<Record<string, string>> };
