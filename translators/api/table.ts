import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { BackendRequestDialect, ClientRequestDialect } from '../dialect.js';
import type { ProfileChoice } from '../target/profile.js';
import { checkFlags } from '../target/profile.js';
import type { Target } from '../target/target.js';
import { isObject } from '../wire/json.js';

/** The dialects of a set of translators: those that clients speak, and those of services. */
export interface Halves<Client, Backend> {
  readonly clients: readonly Client[];
  readonly backends: readonly Backend[];
}

/** The dialects that a set of translators was given. */
export interface DialectTable<C extends ClientRequestDialect, B extends BackendRequestDialect> {
  /** One that clients speak. Throws TranslationError (`invalid_request`) that names the known ids. */
  client(id: C['id']): C;
  /** One of services. Throws as `client` does. */
  backend(id: B['id']): B;
  /** Where bodies of the dialect that a request came from have the bytes of media. */
  mediaPathOf(request: { readonly source: string }): C['mediaPath'] | undefined;
  /** Whether a request came in another dialect of the vendor of `dialect`. */
  sharesVendor(dialect: B, request: { readonly source: string }): boolean;
  /**
   * The target of a model; those of models without flags of the caller's are made once. Throws TranslationError
   * (`invalid_request`) for flags that no profile has.
   */
  targetOf(dialect: B, model: string, choice?: ProfileChoice): Target;
  /** The dialect that a request body is most likely written in; undefined when none fits. */
  detect(body: unknown): C['id'] | undefined;
}

/** How many targets are kept. */
const MAX_TARGETS = 256;

export function createTable<C extends ClientRequestDialect, B extends BackendRequestDialect>({
  clients,
  backends,
}: Halves<C, B>): DialectTable<C, B> {
  const speaking = byId(clients);
  const targets = new Map<string, Target>();
  return {
    client: finder(speaking),
    backend: finder(byId(backends)),
    mediaPathOf: ({ source }) => speaking.get(source)?.mediaPath,
    sharesVendor: ({ vendor }, { source }) => vendor !== undefined && speaking.get(source)?.vendor === vendor,
    targetOf({ id, target }, model, choice) {
      if (typeof choice === 'object') return target(model, checkFlags(choice));
      const key = choice === undefined ? `${id} ${model}` : JSON.stringify([id, model, choice]);
      const found = targets.get(key) ?? target(model, choice);
      if (targets.size >= MAX_TARGETS) targets.clear();
      targets.set(key, found);
      return found;
    },
    detect: (body) => detect(clients, body),
  };
}

/** Both lists of a set of translators that was given whole dialects. */
export function halvesOf<C, B>(dialects: readonly (C & B)[] | Halves<C, B>): Halves<C, B> {
  return 'clients' in dialects ? dialects : { clients: dialects, backends: dialects };
}

function byId<D extends { readonly id: string }>(dialects: readonly D[]): ReadonlyMap<string, D> {
  return new Map(dialects.map((dialect) => [dialect.id, dialect]));
}

function finder<D>(dialects: ReadonlyMap<string, D>): (id: string) => D {
  return (id) => {
    const dialect = dialects.get(id);
    if (dialect !== undefined) return dialect;
    throw new TranslationError(
      'invalid_request',
      `there is no dialect "${id}"; known: ${[...dialects.keys()].join(', ')}`,
    );
  };
}

/**
 * Where a body has the keys of several, the later dialect is taken: its keys are the rarer words. Dialects that share their
 * keys tell their bodies apart by what else these hold (translation.md 8).
 */
function detect<D extends ClientRequestDialect>(dialects: readonly D[], body: unknown): D['id'] | undefined {
  if (!isObject(body)) return undefined;
  const able = dialects.filter(({ bodyKeys }) => bodyKeys.some((key) => key in body));
  const likeness = (dialect: D): number => dialect.likeness?.(body) ?? Number.POSITIVE_INFINITY;
  return able.reduce<D | undefined>(
    (found, one) => (found === undefined || likeness(one) >= likeness(found) ? one : found),
    undefined,
  )?.id;
}

/** Lets nothing but TranslationError out, with the dialect and the losses so far. */
export function guarded<T>(dialect: string, losses: Losses, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const error = TranslationError.from(thrown);
    throw new TranslationError(error.kind, error.message, {
      path: error.path,
      dialect: error.dialect ?? dialect,
      losses: losses.list,
      code: error.code,
      cause: error.cause,
    });
  }
}
