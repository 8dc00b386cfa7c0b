/** Installs code-server once; gives its entry and the Node that runs it. */
export function codeServer(): { readonly node: string; readonly entry: string };
