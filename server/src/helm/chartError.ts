/** What goes wrong before anything is rendered, in Helm's words. */
export class ChartError extends Error {}
