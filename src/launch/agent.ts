import type { DialectId } from '../../translators/index.js';
import type { KeyForm } from '../dialects/index.js';

/** What is known of the sizes of a model, in tokens. */
export interface Sizes {
  /** Input and output together. */
  readonly window?: number | undefined;
  readonly output?: number | undefined;
}

/** What an agent is to speak to. */
export interface Place {
  /** Of the gateway, without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
  /** For work in the background, where that is another model. */
  readonly small?: string | undefined;
  /** For planning, before anything is done, where that is another model. */
  readonly think?: string | undefined;
  readonly sizes: Sizes;
  /** Of the small model, where there is one. */
  readonly smallSizes?: Sizes;
  /** Of the model for planning, where there is one. */
  readonly thinkSizes?: Sizes;
  /** The names and patterns of the configuration. */
  readonly names: readonly string[];
}

/** A file of settings in our own folder. */
export interface SettingsText {
  readonly name: string;
  readonly text: string;
}

/** What makes an agent speak to a gateway: nothing else of its settings is touched. */
export interface Settings {
  /** In front of the words that the user gives the agent. */
  readonly args: readonly string[];
  /** '' = not set: a variable that is there and empty is in the way of files that would set it. */
  readonly env: Readonly<Record<string, string>>;
  /** What belongs into a file of the user's own, by the name of that: it is printed alone. */
  readonly settings?: { readonly file: string; readonly value: object };
}

/** Settings of the agent's own that would lead it elsewhere, and lose. */
export interface Rival {
  /** From the home of the user where it begins with `~/`, else from where the agent is started. */
  readonly path: string;
  /** The variable that names another folder in the place of the one below the home. */
  readonly folderIn?: string;
  /** What of it loses, as it stands there. */
  readonly keys: readonly string[];
}

/** All that is known of an agent. Plain data: what is done with it is nowhere asked by its name. */
export interface Agent {
  readonly title: string;
  readonly command: string;
  /** How it is installed by those who want to. */
  readonly install: string;
  readonly dialect: DialectId;
  /** How it sends its key. */
  readonly keyForm: KeyForm;
  /** It reads all that it needs from a file of the user's own, which we do not write. */
  readonly printOnly?: true;
  /** It does not start without the window of its model. */
  readonly needsWindow?: true;
  /** It has a setting for a model that works in the background. */
  readonly hasSmall: boolean;
  /** It has a setting for a model that plans. */
  readonly hasThink: boolean;
  /**
   * It runs no folder that was not trusted, and asks for that on a terminal only: what lets it trust the folder for one run, and its
   * own words that do the same.
   */
  readonly trust?: { readonly env: Readonly<Record<string, string>>; readonly words: readonly string[] };
  /** A file of settings that it is to read. `own` = the texts of its own settings, the stronger ones behind. */
  file?(place: Place, own: readonly string[]): SettingsText;
  /** `file` = where that lies. */
  settings(place: Place, file: string, own: readonly string[]): Settings;
  /** What the user should know of a place before the agent starts; undefined for nothing. */
  advice?(place: Place): string | undefined;
  readonly rivals: readonly Rival[];
}

/** The smaller of two sizes of models that share a conversation; what is unknown of one is unknown. */
export function smallerOf(one: Sizes, other: Sizes): Sizes {
  const least = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined || b === undefined ? undefined : Math.min(a, b);
  return { window: least(one.window, other.window), output: least(one.output, other.output) };
}

/** No agent asks for longer answers by itself. */
const LONGEST_ANSWER = 32_000;

/** The cap for answers of a model: its own, and a quarter of its window at most, so that a conversation has room beside. */
export function capOf({ window, output }: Sizes): number | undefined {
  const most = Math.min(
    output ?? Number.POSITIVE_INFINITY,
    window === undefined ? Number.POSITIVE_INFINITY : window / 4,
  );
  return Number.isFinite(most) ? Math.min(LONGEST_ANSWER, Math.floor(most)) : undefined;
}

/** Members or variables of which each has a value that is known. */
export function known<Value>(members: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
