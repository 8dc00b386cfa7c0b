/** What is filled in where `$(NAME)` is written: for which names, and whether in other fields than those of kustomize's own list. */
export interface Variables {
  readonly names: ReadonlySet<string>;
  readonly everywhere: boolean;
}
