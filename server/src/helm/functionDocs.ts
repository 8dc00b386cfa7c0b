/** What the functions of templates do, in a line each: for completion and cards. */
import { memo } from '../base/memo.ts';

export interface FunctionDoc {
  /** Its name and arguments, as one writes a call. */
  readonly call: string;
  readonly words: string;
}

/** A row: name and arguments, a bar, what it does. */
const table = [
  `abbrev width text | Shortens a text to a width; three dots stand for what is cut off.
abbrevboth left width text | Shortens a text on both sides, from a place on.
add numbers… | The sum of integers.
add1 number | The integer that follows.
add1f number | A number plus one, with decimals.
addf numbers… | The sum of numbers with decimals.
adler32sum text | The Adler-32 checksum of a text.
ago time | How long ago a time was.
all values… | Whether all values are true, that is not empty.
and values… | The first value that is empty, or else the last one. What is behind it is not looked at.
any values… | Whether at least one of the values is not empty.
append list value | A new list with a value at its end.
atoi text | The integer that a text says; 0 where it says none.
b32dec text | Decodes Base32.
b32enc text | Encodes a text as Base32.
b64dec text | Decodes Base64.
b64enc text | Encodes a text as Base64.
base path | The last element of a path.
bcrypt text | The bcrypt hash of a text. It is another one each time.
biggest numbers… | The largest of integers.
buildCustomCert cert key | A certificate of PEM texts in Base64, with .Cert and .Key.
call function args… | Calls a value that is a function.
camelcase text | UpperCamelCase of a text in snake_case.
cat values… | The values with blanks in between, as one text.
ceil number | The next whole number above.
chunk size list | The list in lists of a size.
clean path | The shortest form of a path.
coalesce values… | The first value that is not empty.
compact list | The list without empty items.
concat lists… | The items of all lists in one.
contains part text | Whether a text holds another one.
date layout time | A time in a layout of Go, such as "2006-01-02".
dateInZone layout time zone | A time in a layout of Go, in a time zone such as "UTC".
dateModify duration time | A time moved by a duration such as "-1.5h".
date_in_zone layout time zone | As dateInZone.
date_modify duration time | As dateModify.
decryptAES key text | Decrypts what encryptAES made.
deepCopy value | A copy of a value, with copies of all that is in it.
deepEqual a b | Whether two values are the same in all their parts.
default fallback value | The value, or the fallback where it is empty: false, 0, "", an empty list or map, or nothing.
derivePassword counter type password user site | The password that the Master Password algorithm derives for a site.
dict keys-and-values… | A map of keys and values in turn.
dig keys… fallback map | The value at a path of keys in a map, or the fallback where a key is missing.
dir path | A path without its last element.
div a b | The quotient of integers, as an integer.
divf numbers… | The first number divided by all others, with decimals.
duration seconds | A number of seconds in words such as "1m35s".
durationDays duration | How many days a duration has.
durationHours duration | How many hours a duration has.
durationMicroseconds duration | How many microseconds a duration has.
durationMilliseconds duration | How many milliseconds a duration has.
durationMinutes duration | How many minutes a duration has.
durationNanoseconds duration | How many nanoseconds a duration has.
durationRound duration | A duration rounded to its largest unit.
durationRoundTo duration unit | A duration rounded to a multiple of another one.
durationSeconds duration | How many seconds a duration has.
durationTruncateTo duration unit | A duration cut down to a multiple of another one.
durationWeeks duration | How many weeks a duration has.
empty value | Whether a value is empty: false, 0, "", an empty list or map, or nothing.
encryptAES key text | Encrypts a text by AES-256. It is another one each time.
eq value others… | Whether a value equals one of the others.
ext path | The extension of a path, with its dot.
fail message | Ends the rendering with a message.
first list | The first item of a list.
float64 value | A value as a number with decimals.
floor number | The next whole number below.`,
  `fromJson text | What a text of JSON says; where it cannot be read, a map whose Error says why.
fromJsonArray text | The list that a text of JSON says.
fromToml text | The map that a text of TOML says.
fromYaml text | The map that a text of YAML says; where it cannot be read, a map whose Error says why.
fromYamlArray text | The list that a text of YAML says.
ge a b | Whether a ≥ b.
genCA name days | A new certificate authority, with .Cert and .Key. It is another one each time.
genCAWithKey name days key | A new certificate authority for a private key.
genPrivateKey type | A new private key: "rsa", "ecdsa", "dsa" or "ed25519". It is another one each time.
genSelfSignedCert name ips names days | A new certificate that signs itself, with .Cert and .Key. It is another one each time.
genSelfSignedCertWithKey name ips names days key | A new certificate that signs itself, for a private key.
genSignedCert name ips names days ca | A new certificate that an authority signs, with .Cert and .Key. It is another one each time.
genSignedCertWithKey name ips names days ca key | A new certificate that an authority signs, for a private key.
get map key | The value of a key in a map, or "" where there is none.
getHostByName name | An address of a host, where Helm may ask for it; else "".
gt a b | Whether a > b.
has item list | Whether a list has an item.
hasKey map key | Whether a map has a key.
hasPrefix prefix text | Whether a text begins with another one.
hasSuffix suffix text | Whether a text ends with another one.
hello | "Hello!"
html values… | Escapes a text for HTML.
htmlDate time | A day as HTML's date pickers take it: 2006-01-02.
htmlDateInZone time zone | The same in a time zone.
htpasswd user password | A line for an htpasswd file, with a bcrypt hash. It is another one each time.
include name data | What a named template renders with some data, as a text that can be piped on, such as to nindent.
indent width text | Puts blanks before every line of a text.
index value keys… | The item of a list or map at an index or key; with several, step by step.
initial list | All items of a list but the last one.
initials text | The first letters of the words of a text.
int value | A value as an integer.
int64 value | A value as a 64-bit integer.
isAbs path | Whether a path is absolute.
join separator list | The items of a list as one text, with a separator in between.
js values… | Escapes a text for JavaScript.
kebabcase text | kebab-case of a text in camelCase.
keys maps… | The keys of maps, in no order: sort them by sortAlpha.
kindIs kind value | Whether a value is of a kind, such as "map", "slice" or "string".
kindOf value | The kind of a value, such as "map", "slice" or "string".
last list | The last item of a list.
le a b | Whether a ≤ b.
len value | How many bytes, items or entries a value has.
list values… | A list of values.
lookup apiVersion kind namespace name | An object of the cluster that is installed to; nothing where Helm only renders.
lower text | A text in lower case.
lt a b | Whether a < b.
max numbers… | The largest of integers.
maxf numbers… | The largest of numbers with decimals.
merge map others… | Puts into a map what it does not have and others have. The map itself is changed.
mergeOverwrite map others… | Puts into a map what others have, over what it has. The map itself is changed.
min numbers… | The smallest of integers.
minf numbers… | The smallest of numbers with decimals.
mod a b | What is left of a when it is divided by b.
mul numbers… | The product of integers.
mustToDuration value | The duration that a text says, such as "1h30m".
mulf numbers… | The product of numbers with decimals.
ne a b | Whether two values differ.
nindent width text | A line break, and the text with blanks before every line.
nospace text | A text without its blanks.
not value | Whether a value is empty.
now | The time of the rendering. It is another one each time.
omit map keys… | A map without some of its keys.
or values… | The first value that is not empty, or else the last one. What is behind it is not looked at.
osBase path | The last element of a path of the operating system.
osClean path | The shortest form of a path of the operating system.
osDir path | A path of the operating system without its last element.
osExt path | The extension of a path of the operating system, with its dot.
osIsAbs path | Whether a path of the operating system is absolute.
pick map keys… | A map with no more than some of its keys.
pluck key maps… | The values of a key in all maps that have it.
plural one many count | The first text if the count is 1, else the second.
prepend list value | A new list with a value at its start.
print values… | The values as one text, with blanks between those that are not texts.
printf format values… | Values in a format of Go, such as "%s-%d".
println values… | The values with blanks in between, and a line break.
push list value | As append.`,
  `quote values… | The values in double quotes, with blanks in between. Of nothing it makes nothing.
randAlpha count | A random text of letters. It is another one each time.
randAlphaNum count | A random text of letters and digits. It is another one each time.
randAscii count | A random text of printable ASCII. It is another one each time.
randBytes count | Random bytes as Base64. They are others each time.
randInt from to | A random integer. It is another one each time.
randNumeric count | A random text of digits. It is another one each time.
regexFind pattern text | The first part of a text that matches a regular expression.
regexFindAll pattern text most | All parts of a text that match a regular expression; -1 for no bound.
regexMatch pattern text | Whether some part of a text matches a regular expression.
regexQuoteMeta text | A text as a regular expression that matches just that.
regexReplaceAll pattern text with | Replaces what matches a regular expression; ${1} is its first group.
regexReplaceAllLiteral pattern text with | Replaces what matches a regular expression by a text as it is.
regexSplit pattern text most | The parts of a text between what matches a regular expression; -1 for no bound.
repeat count text | A text several times.
replace old new text | Replaces a text in another one, wherever it is.
required message value | The value; where there is none, or it is "", the rendering ends with the message.
rest list | All items of a list but the first one.
reverse list | A list with its items from last to first.
round number digits | A number rounded to some decimals.
semver text | A version with .Major, .Minor, .Patch, .Prerelease and .Metadata.
semverCompare constraint version | Whether a version fits a constraint such as ">=1.25-0".
seq numbers… | Numbers from 1, or from a first one, to a last one, as a text with blanks.
set map key value | Sets a key of a map, and gives the map. The map itself is changed.
sha1sum text | The SHA-1 checksum of a text.
sha256sum text | The SHA-256 checksum of a text.
sha512sum text | The SHA-512 checksum of a text.
shuffle text | The letters of a text in a random order. It is another one each time.
slice value from to | A part of a list or text, by indexes.
snakecase text | snake_case of a text in camelCase.
sortAlpha list | A list of texts in alphabetical order.
split separator text | A map of the parts of a text: _0, _1, and so on.
splitList separator text | A list of the parts of a text.
splitn separator most text | A map of at most so many parts of a text: _0, _1, and so on.
squote values… | The values in single quotes, with blanks in between.
sub a b | The difference of integers.
subf numbers… | The first number minus all others, with decimals.
substr from to text | A part of a text, by indexes.
swapcase text | Turns capitals into small letters, and small letters into capitals.
ternary yes no condition | The first value if the condition is true, else the second.
title text | A text with a capital at the start of each word.
toDate layout text | The time that a text says in a layout of Go.
toDecimal value | The integer that an octal number says.
toJson value | A value as JSON.
toPrettyJson value | A value as JSON, over several lines.
toRawJson value | A value as JSON in which <, > and & are not escaped.
toString value | A value as a text.
toStrings list | The items of a list as texts.
toToml value | A value as TOML.
toYaml value | A value as YAML, for example to be put in by nindent.
toYamlPretty value | A value as YAML whose lists are indented.
tpl text data | Renders a text as a template, with some data.
trim text | A text without blanks and line breaks around it.
trimAll characters text | A text without any of some characters around it.
trimPrefix prefix text | A text without a prefix.
trimSuffix suffix text | A text without a suffix.
trimall characters text | As trimAll.
trunc count text | The first characters of a text; of a negative count, the last ones.
tuple values… | As list.
typeIs type value | Whether a value is of a type of Go, such as "string" or "float64".
typeIsLike type value | Whether a value is of a type of Go, or a pointer to one.
typeOf value | The type of Go that a value has, such as "float64".
uniq list | A list without items that it has already.
unixEpoch time | A time as seconds since 1970.
unset map key | Takes a key out of a map, and gives the map. The map itself is changed.
until count | A list of the integers from 0 up to, but without, a count.
untilStep from to step | A list of integers from one up to another, by steps.
untitle text | A text with a small letter at the start of each word.
upper text | A text in upper case.
urlJoin map | The URL of a map as urlParse makes it.
urlParse text | A map of the parts of a URL: scheme, host, path, query, and so on.
urlquery values… | Escapes a text for the query of a URL.
uuidv4 | A random UUID. It is another one each time.
values map | The values of a map, in no order.
without list items… | A list without some items.
wrap width text | Wraps a text at a width.
wrapWith width separator text | Wraps a text at a width, with a separator instead of line breaks.`,
];

const all = memo((_: object): ReadonlyMap<string, FunctionDoc> => {
  const rows = table.flatMap((part) => part.split('\n'));
  return new Map(
    rows.map((row) => {
      const [call = '', words = ''] = row.split(' | ');
      return [call.split(' ')[0]!, { call, words }];
    }),
  );
});

/** What a function does. Those that begin with `must` do the same as those without, and say so when they cannot. */
export function functionDoc(name: string): FunctionDoc | undefined {
  const known = all(table).get(name);
  if (known || !/^must[A-Z_]/.test(name)) return known;
  const [, first = '', rest = ''] = /^must_?(.)(.*)$/s.exec(name) ?? [];
  const plain = all(table).get(first.toLowerCase() + rest);
  const own = plain && `${name}${plain.call.slice(first.length + rest.length)}`;
  return plain && { call: own!, words: `${plain.words} Where that cannot be done, the rendering fails.` };
}
