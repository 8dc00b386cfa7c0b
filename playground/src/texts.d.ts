declare module '*.yaml' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: esbuild gives texts so
  export default text;
}
declare module '*.tpl' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: esbuild gives texts so
  export default text;
}
declare const KUBERNETES_VERSIONS: readonly string[];
declare const VERSION: string;
