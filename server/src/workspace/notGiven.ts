/** Texts that say of themselves that they are no value, for whoever installs or copies what they are in. */
interface NotGiven {
  readonly example: string;
  /** Why nobody means such a text. */
  readonly because: string;
  readonly pattern: RegExp;
}

const notGiven: readonly NotGiven[] = [
  {
    example: 'override_me, CHANGEME, replace-this',
    because: 'it tells its reader what to do with it; `changeit` is the usual password of Java, and none of these',
    pattern: /^(?:override|replace|change|update|set)[_-]?(?:me|this)(?:[_-]if[_-]enabled)?$/i,
  },
  {
    example: 'toBeReplaced, "to be replaced by the test"',
    because: 'it says what happens to it',
    pattern: /^to[-_ ]?be[-_ ]?(?:replaced|filled(?:[-_ ]in)?)(?: [\w ]{1,80})?$/i,
  },
  {
    example: 'the certificate will be copied by a transformer',
    because: 'it says what is done to it later, and by what',
    pattern:
      /^[^"\n]{0,200}\b(?:will be|is|gets) (?:copied|replaced|filled in|set|generated|injected|substituted|overwritten) by (?!default\b)\w/i,
  },
  {
    example: 'TODO',
    because:
      'in capitals it is a mark of its author; `todo` is what many programs are called that show how something is done',
    pattern: /^(?:TODO|TBD|FIXME)$/,
  },
  {
    example: 'xxxxxxx',
    because: 'it has been crossed out; with fewer letters it may be an abbreviation',
    pattern: /^(?:x{4,}|X{4,})$/,
  },
  {
    example: 'PLACEHOLDER_FORMAT',
    because: 'it has the very word in capitals, alone or as a part of it; in small letters that may be a name',
    pattern: /(?<![A-Za-z])PLACEHOLDER(?![A-Za-z])/,
  },
  {
    example: '[YOUR REGION OF S3]',
    because: 'nobody gives several words in brackets, which without quotes are a list; one word may be one',
    pattern: /^\[[A-Za-z]\w{0,30}(?: [A-Za-z]\w{0,30}){1,12}\]$/,
  },
];

/** Whether a text says that it is no value. Quotes are taken off before. */
export function saysNotGiven(text: string): boolean {
  return notGiven.some(({ pattern }) => pattern.test(text));
}
