import type { Steps } from '../../base/steps.ts';
import type { Range } from '../../base/text.ts';
import type { Ask, Diagnostic, Fix, Marker, ProblemId, TextEdit } from '../../rules/model/diagnostic.ts';
import type { Definition } from '../../workspace/definitions.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import type { Hover } from '../at/hover.ts';
import type { SignatureHelp } from '../at/signature.ts';
import type { ShownRendering, WantedRendering } from '../charts/rendered.ts';
import type { Completion } from '../complete/completion.ts';
import type { ShownCrd } from '../golang/shownCrd.ts';
import type { ColoredRange } from '../lenses/colors.ts';
import type { InlayHint } from '../lenses/inlayHints.ts';
import type { Lens } from '../lenses/lens.ts';
import type { Assist } from '../mend/assists/assist.ts';
import type { Fold } from '../navigate/folding.ts';
import type { Link } from '../navigate/links.ts';
import type { Search } from '../navigate/references.ts';
import type { Refusal } from '../navigate/rename/places.ts';
import type { Renameable } from '../navigate/rename/rename.ts';
import type { OutlineSymbol } from '../navigate/symbols.ts';
import type { Location } from '../place/location.ts';
import type { NewCase } from '../tests/newCase.ts';
import type { Tried } from '../trying/tried.ts';
import type { ResourceIn } from '../trying/tryRule.ts';
import type { VersionCost } from '../views/costMap.ts';
import type { KindRef } from '../views/schemaTree.ts';

/** What is asked of a file, and of a place in it. */
type Of<Answer> = (snapshot: Snapshot, uri: string) => Answer;
type At<Answer> = (snapshot: Snapshot, uri: string, offset: number) => Answer;
type Within<Answer> = (snapshot: Snapshot, uri: string, within: Range) => Answer;

/** A diagnostic as a client sends it back: where it is, and what names it. */
export interface Told extends ProblemId {
  /** Where it begins. */
  readonly offset: number;
  /** How many others are asked about with it. */
  readonly among: number;
}

type About<Answer> = (snapshot: Snapshot, uri: string, told: Told) => Answer;

/** A fix of another file than the one that it is about. */
export interface FixElsewhere {
  readonly uri: string;
  readonly fix: Fix;
}

export interface KindLenses {
  /** The kinds that a file defines. */
  readonly kinds: Of<readonly Definition[]>;
  readonly make: (snapshot: Snapshot, uri: string, found: OfKinds) => Steps<Lens[]>;
}

/** The files with resources of some kinds, and those with tests. */
export interface OfKinds {
  readonly resources: readonly SourceFile[];
  readonly tests: readonly SourceFile[];
}

/** A place in YAML that one of another file stands for, and the snapshot that has it. */
export interface PlaceInYaml {
  readonly snapshot: Snapshot;
  readonly uri: string;
  readonly offset: number;
}

/** What a language has for its files. What is not named here is left out for them. */
export interface Features {
  /** All that is said of a file. */
  readonly diagnose: Of<Diagnostic[]>;
  /** The whole expression that a place is in: what is wrong in it waits while somebody types there. */
  readonly expressionAround?: At<Range | undefined>;
  readonly hover?: At<Hover | undefined>;
  readonly signature?: At<SignatureHelp | undefined>;
  readonly complete?: At<Completion[]>;
  /** What begins a completion beside letters. */
  readonly triggers?: readonly string[];
  /** Whether the built-in kinds have to be read for a completion. */
  readonly wantsBuiltin?: At<boolean>;
  readonly onEnter?: At<TextEdit[]>;
  readonly definition?: At<Location[]>;
  readonly highlights?: At<Location[]>;
  /** Everything that names what is at a place; without it highlights are all that is known of it. */
  readonly search?: At<Search | undefined>;
  /** What can have another name at a place, or why it cannot. */
  readonly rename?: At<Renameable | Refusal | undefined>;
  readonly outline?: Of<OutlineSymbol[]>;
  readonly folds?: Of<readonly Fold[] | undefined>;
  readonly selection?: At<Range[]>;
  /** Where other extensions give outline, folding and selection as well: the part that is ours alone. */
  readonly ownSelection?: At<Range[]>;
  readonly links?: Of<Link[]>;
  readonly colors?: (snapshot: Snapshot, uri: string, within?: Range) => ColoredRange[];
  readonly costHints?: Within<InlayHint[]>;
  readonly valueHints?: (snapshot: Snapshot, uri: string, within: Range, resource: ResourceIn) => InlayHint[];
  /** Lines above something that are known at once. */
  readonly lenses?: Of<Lens[]>;
  /** Those that take what the workspace has of kinds. */
  readonly kindLenses?: KindLenses;
  readonly fixes?: About<readonly Fix[]>;
  readonly fixesElsewhere?: About<readonly FixElsewhere[]>;
  readonly asks?: About<readonly Ask[]>;
  /** What to write in Go for a finding of what was generated. */
  readonly markers?: About<readonly Marker[]>;
  readonly silencing?: About<readonly Fix[]>;
  /** All safe fixes of a file, or those of one code. */
  readonly fixAll?: (snapshot: Snapshot, uri: string, which?: { readonly code?: string }) => Fix | undefined;
  readonly isOneOfSeveral?: (snapshot: Snapshot, uri: string, code: string) => boolean;
  readonly assists?: At<readonly Assist[]>;
  readonly newCase?: At<NewCase | undefined>;
  /** The rule in a file of the workspace that `newCase` is about; without it, what is at the very place. */
  readonly inGenerated?: At<PlaceInYaml | undefined>;
  /** What the rules of a file may cost. */
  readonly costs?: Of<Steps<VersionCost[]>>;
  /** The kind that a place is about. */
  readonly kindAt?: At<KindRef | undefined>;
  /** The CRD that is made of what is at a place, or the one of a name, as the program writes it that makes it. */
  readonly madeCrd?: (snapshot: Snapshot, uri: string, of: number | string) => ShownCrd | undefined;
  /** The file in which the CRDs are that come of this one, and the snapshot that has it. */
  readonly madeFile?: Of<{ readonly snapshot: Snapshot; readonly uri: string } | undefined>;
  /** What a template renders. */
  readonly rendered?: (snapshot: Snapshot, uri: string, wanted: WantedRendering) => ShownRendering | undefined;
  /** What comes of the expression of a file, where it has one that belongs to nothing. */
  readonly tryHere?: At<Tried | undefined>;
  /** What can be tried at a place. */
  readonly toTry?: At<'rule' | 'policy' | undefined>;
  /** The place in what is made of a file that a place in it stands for; without it a file stands for itself. */
  readonly inMade?: At<PlaceInYaml | undefined>;
}
