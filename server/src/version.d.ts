/** The product's version, from package.json, put in by the build. */
declare const VERSION: string;
