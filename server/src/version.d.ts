/** The product's version, from package.json, put in by the build. */
declare const VERSION: string;

/** The names of the engine's parts, between blanks, each a script beside `engine.cjs`; put in by the build. */
declare const PARTS: string;
