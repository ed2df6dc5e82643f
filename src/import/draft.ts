import type { ConfigInput } from '../config/index.js';

type BackendInput = ConfigInput['backends'][string];
type KeyInput = NonNullable<ConfigInput['keys']>[number];
/** A target as a list of a model has it. */
export type TargetInput = Exclude<NonNullable<ConfigInput['models']>[string], readonly unknown[]>;

/** What the user should know of one setting of the source. */
export interface Note {
  /** Where it stands there. */
  readonly path: string;
  /** It has no place here, is something else here, or was a secret in clear. */
  readonly kind: 'no place' | 'changed' | 'secret';
  readonly message: string;
}

/** A file in the making. */
export interface Draft {
  note(path: string, kind: Note['kind'], message: string): void;
  /** A text with references to variables of the environment in our form. */
  reference(text: string): string;
  /** A secret as a reference: that of the source, else one to `variable`, which is reported. Undefined for none. */
  secret(text: string | undefined, path: string, variable: string): string | undefined;
  /** A reference to a variable of the environment. */
  variable(name: string): string;
  /** Adds a backend, or finds an equal one, and gives its name. */
  backend(name: string, entry: BackendInput): string;
  model(name: string, targets: readonly TargetInput[]): void;
  targetsOf(name: string): readonly TargetInput[] | undefined;
  key(entry: KeyInput): void;
  set(section: Partial<ConfigInput>): void;
  finish(): { readonly config: ConfigInput; readonly notes: readonly Note[]; readonly variables: readonly string[] };
}

/** How a source refers to variables of the environment. */
export interface References {
  /** Finds references in a text; the name is one of its groups. Global. */
  readonly pattern: RegExp;
}

/** A name of a backend has 64 characters at most, with the number of one of several. */
const MOST_NAME = 56;

/** What stands for no key. */
const NO_KEY =
  /^(?:|none|null|undefined|no[-_ ]?key|not[-_ ]?needed|empty|anything|any|dummy|ollama|lm-?studio|vllm)$/i;

/** An empty draft. */
export function createDraft({ pattern }: References): Draft {
  const notes: Note[] = [];
  // Names are those of a file: none of them is a member of objects.
  const backends: Record<string, BackendInput> = Object.create(null);
  const models = new Map<string, readonly TargetInput[]>();
  const keys: KeyInput[] = [];
  const variables = new Set<string>();
  /** Variables for secrets in clear, by these. */
  const secrets = new Map<string, string>();
  let sections: Partial<ConfigInput> = {};

  const free = (name: string, isTaken: (name: string) => boolean, sign: string): string => {
    for (let number = 1; ; number++) {
      const tried = number === 1 ? name : `${name}${sign}${number}`;
      if (!isTaken(tried)) return tried;
    }
  };
  const note: Draft['note'] = (path, kind, message) => void notes.push({ path, kind, message });
  const reference = (text: string): string =>
    text.replaceAll(pattern, (whole, ...groups: readonly unknown[]) => {
      const name = groups.find(
        (group): group is string => typeof group === 'string' && group !== '' && whole.includes(group),
      );
      if (name === undefined) return whole;
      variables.add(name);
      return `\${${name}}`;
    });

  return {
    note,
    reference,
    secret(text, path, variable) {
      if (text === undefined || NO_KEY.test(text)) return undefined;
      const referred = reference(text);
      const [, given] = /^\$\{([A-Za-z_]\w*)\}$/.exec(referred) ?? [];
      if (given !== undefined) {
        variables.add(given);
        return referred;
      }
      const name = secrets.get(text) ?? free(variable, (tried) => variables.has(tried), '_');
      if (!secrets.has(text)) note(path, 'secret', `is a secret in clear: set the variable ${name} to it`);
      secrets.set(text, name);
      variables.add(name);
      return `\${${name}}`;
    },
    variable(name) {
      variables.add(name);
      return `\${${name}}`;
    },
    backend(name, entry) {
      const text = JSON.stringify(entry);
      const equal = Object.entries(backends).find(([, other]) => JSON.stringify(other) === text)?.[0];
      if (equal !== undefined) return equal;
      const allowed = name.replaceAll(/[^\w.-]+/g, '-').slice(0, MOST_NAME) || 'server';
      const own = free(allowed, (tried) => Object.hasOwn(backends, tried), '-');
      backends[own] = entry;
      return own;
    },
    model(name, targets) {
      if (targets.length > 0) models.set(name, targets);
    },
    targetsOf: (name) => models.get(name),
    key: (entry) => void keys.push(entry),
    set(section) {
      sections = { ...sections, ...section };
    },
    finish() {
      const used = new Set([...models.values()].flatMap((targets) => targets.map(({ backend }) => backend)));
      const config = {
        ...sections,
        backends: Object.fromEntries(Object.entries(backends).filter(([name]) => used.has(name))),
        models: Object.fromEntries([...models].map(([name, targets]) => [name, single(targets)])),
        ...(keys.length > 0 && { keys }),
      };
      const text = JSON.stringify(config);
      return { config, notes, variables: [...variables].filter((name) => text.includes(`\${${name}}`)) };
    },
  };
}

/** A target without its weight: it is one of several that are tried in order. */
export function unweighted({ weight: _weight, ...target }: TargetInput): TargetInput {
  return target;
}

function single(targets: readonly TargetInput[]): TargetInput | TargetInput[] {
  const [first, ...others] = targets;
  return first !== undefined && others.length === 0 ? first : [...targets];
}
