/**
 * The plural that controller-gen gives a kind that does not name its own. English knows no rule, so it is that of the
 * library it uses (flect), word for word: the order of the lists decides.
 */
export function pluralOf(kind: string): string {
  read ??= readWords();
  const { plurals, singulars, rules } = read;
  const part = lastPart(kind);
  const exact = plurals.get(kind);
  if (exact !== undefined) return exact;
  if (singulars.has(kind)) return kind;
  const lower = part.toLowerCase();
  if (singulars.has(lower)) return kind;
  const found = plurals.get(lower);
  if (found !== undefined) return replaceEnd(kind, part, isCapitalized(part) ? capitalized(found) : found);
  for (const [suffix, plural] of rules) {
    if (part.endsWith(plural)) return kind;
    if (part.endsWith(suffix)) return replaceEnd(kind, suffix, plural);
  }
  return lower.endsWith('s') ? kind : `${kind}s`;
}

/** What begins with the last capital that follows something small. */
function lastPart(kind: string): string {
  let start = 0;
  for (let i = 1; i < kind.length; i++) if (isUpper(kind[i]!) && !isUpper(kind[i - 1]!)) start = i;
  return kind.slice(start);
}

function isUpper(char: string): boolean {
  return /\p{Lu}/u.test(char);
}

function replaceEnd(text: string, end: string, by: string): string {
  return text.slice(0, text.length - end.length) + by;
}

function isCapitalized(text: string): boolean {
  return text === capitalized(text);
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

// singular:plural:another, `!` only as a whole word, `?` not the other way round.
const words = `
  aircraft beef::beefs bison blues? chassis deer fish::fishes moose police salmon::salmons series sheep
  shrimp::shrimps species swine::swines trout::trouts tuna::tunas you child:children ox:oxen! foot:feet
  goose:geese man:men human:humans louse:lice! mouse:mice tooth:teeth woman:women die:dice! person:people
  adieu:adieux:adieus fabliau:fabliaux bureau:bureaus:bureaux criterion:criteria ganglion:ganglia:ganglions
  lexicon:lexica:lexicons mitochondrion:mitochondria:mitochondrions noumenon:noumena phenomenon:phenomena
  taxon:taxa media medium:media:mediums? stadium:stadiums:stadia aquarium:aquaria:aquariums
  auditorium:auditoria:auditoriums symposium:symposia:symposiums curriculum:curriculums:curricula quota:quotas
  alumnus:alumni:alumnuses bacillus:bacilli cactus:cacti:cactuses coccus:cocci focus:foci:focuses
  locus:loci:locuses nucleus:nuclei:nucleuses octopus:octupuses:octopi radius:radii:radiuses syllabus:syllabi
  corpus:corpora:corpuses genus:genera alumna:alumnae vertebra:vertebrae differentia:differentiae
  minutia:minutiae vita:vitae larva:larvae postcava:postcavae praecava:praecavae uva:uvae apex:apices:apexes
  codex:codices:codexes index:indices:indexes latex:latices:latexes vertex:vertices:vertexes
  vortex:vortices:vortexes appendix:appendices:appendixes radix:radices:radixes helix:helices:helixes
  axis:axes! crisis:crises ellipsis:ellipses? genesis:geneses oasis:oases thesis:theses testis:testes
  base:bases basis:bases? alias:aliases! vedalia:vedalias use:uses! abuse:abuses cause:causes clause:clauses
  cruse:cruses excuse:excuses fuse:fuses house:houses misuse:misuses muse:muses pause:pauses ache:aches
  topaz:topazes buffalo:buffaloes:buffalos potato:potatoes tomato:tomatoes equipment information jeans money
  news rice dwarf:dwarfs:dwarves hoof:hoofs:hooves thief:thieves chive:chives hive:hives move:moves
  movie:movies cookie:cookies pretorium:pretoriums agenda:agendas formula:formulas:formulae shoe:shoes
  toe:toes! graffiti ID:IDs!
`;

const suffixes = `
  tive:tives eaf:eaves oaf:oaves afe:aves arf:arves rfe:rves rf:rves lf:lves fe:ves ay:ays ey:eys oy:oys
  quy:quies uy:uys y:ies eau:eaux bula:bulae dula:bulae lula:bulae nula:bulae vula:bulae hedron:hedra ium:ia
  seum:seums eum:ea oum:oa stracum:straca dum:da elum:ela ilum:ila olum:ola ulum:ula llum:lla ylum:yla
  imum:ima ernum:erna gnum:gna brum:bra crum:cra terum:tera serum:sera trum:tra antum:anta atum:ata entum:enta
  etum:eta itum:ita otum:ota utum:uta ctum:cta ovum:ova trix:trices iasis:iases mesis:meses kinesis:kineses
  resis:reses gnosis:gnoses opsis:opses ysis:yses ouse:ouses lause:lauses us:uses ch:ches io:ios sh:shes
  ss:sses ez:ezzes iz:izzes tz:tzes zz:zzes ano:anos lo:los to:tos oo:oos o:oes x:xes S:Ses
`;

interface Words {
  readonly plurals: ReadonlyMap<string, string>;
  readonly singulars: ReadonlySet<string>;
  readonly rules: readonly (readonly [string, string])[];
}

let read: Words | undefined;

function readWords(): Words {
  const plurals = new Map<string, string>();
  const singulars = new Set<string>();
  const rules: (readonly [string, string])[] = [];
  for (const written of words.trim().split(/\s+/)) {
    const [singular = '', plural, other] = written.replace(/[!?]$/, '').split(':');
    const many = plural || singular;
    plurals.set(singular, many);
    if (!written.includes('?')) {
      singulars.add(many);
      if (other) singulars.add(other);
    }
    if (!written.includes('!')) rules.unshift([singular, many]);
  }
  for (const written of suffixes.trim().split(/\s+/)) rules.push(written.split(':') as [string, string]);
  return { plurals, singulars, rules };
}
