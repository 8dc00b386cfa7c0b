// What the API server bounds, in its own figures: no release has changed them.

/** What one evaluation of an expression may cost. */
export const callCostLimit = 1_000_000;
/** What all rules on one object may cost, and all expressions of a policy. */
export const objectCostLimit = 10_000_000;
/** What all match conditions of a policy may cost. */
export const conditionsCostLimit = 2_500_000;
/** What one rule of a CRD is estimated to cost at most. */
export const ruleCostLimit = 10_000_000;
/** What all rules of a version are estimated to cost at most. */
export const crdCostLimit = 100_000_000;

/** Bytes of what an expression says about its failure. */
export const messageBytes = 5 * 1024;
/** Bytes of all annotations of an object, keys included. */
export const annotationBytesLimit = 256 * 1024;
/** Bytes of a request. */
export const requestBytes = 3 * 1024 * 1024;

/** Characters of a name that is made up which come from `generateName`. */
export const generatedBase = 58;
