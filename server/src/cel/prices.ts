// The factors by which cel-go and Kubernetes price expressions. The worst case before evaluation and what an evaluation
// came to are worked out with the same ones.

/** For each code point or byte that is looked at. */
export const stringFactor = 0.1;
/** For each code point of a regular expression. */
export const regexFactor = 0.25;

/** What making a list, map or message costs beside its parts. */
export const newListCost = 10;
export const newMapCost = 30;
export const newStructCost = 40;
