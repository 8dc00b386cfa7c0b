// cel-go's limits on one expression. The fast parser leaves what may pass them to `grammar/`, which says so in cel-go's
// words.

/** The most code points that an expression may have. */
export const maxCodePoints = 100_000;
/** How deep the rules of the grammar may be nested, and the operators and selections of a tree. */
export const maxDepth = 250;
/** Macros that use their target twice make trees exponential in the text: beyond this many nodes no copy is made. */
export const maxNodes = 500_000;
