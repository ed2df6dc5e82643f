import { dialectIds } from '../../translators/index.js';
import type { Block, CaseFile } from './cases.js';

/** What one backend should receive for one client body; only what the file states is present. */
export interface RequestExpectation {
  readonly backend: string;
  readonly attributes: Readonly<Record<string, string>>;
  body?: Block;
  losses?: Block;
  refused?: Block;
}

/** A client body and what becomes of it. */
export interface RequestScenario {
  readonly kind: 'request';
  readonly client: string;
  readonly given: Block;
  /** For a `next` body: the answer before, whose placeholders it uses. */
  readonly after?: { readonly answer: AnswerScenario; readonly expectation: AnswerExpectation };
  media?: Block;
  readonly expectations: RequestExpectation[];
}

/** What one client should receive for one answer. */
export interface AnswerExpectation {
  readonly client: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The client's own request, where the file has one. */
  readonly request?: Block;
  body?: Block;
  losses?: Block;
  refused?: Block;
}

/** An answer, a stream or an error of a backend and what becomes of it. */
export interface AnswerScenario {
  readonly kind: 'response' | 'sse' | 'error';
  readonly backend: string;
  readonly given: Block;
  readonly expectations: AnswerExpectation[];
}

export type Scenario = RequestScenario | AnswerScenario;

const DIALECTS: ReadonlySet<string> = new Set(dialectIds);

/** Reads a file's blocks in order: what is given, then what is expected of it. Throws for a block that fits nowhere. */
export function scenariosOf(file: CaseFile): Scenario[] {
  const scenarios: Scenario[] = [];
  for (const block of file.blocks) {
    const { client, backend } = block.attributes;
    const fail = (reason: string): never => {
      throw new Error(`${file.name}:${block.lines[0]}: ${reason}`);
    };
    for (const dialect of [client, backend]) {
      if (dialect !== undefined && !DIALECTS.has(dialect)) fail(`unknown dialect ${dialect}`);
    }
    const current = scenarios.at(-1);
    if (block.words.has('media')) {
      if (current?.kind !== 'request') return fail('media needs a client request before it');
      current.media = block;
    } else if (client !== undefined && block.words.has('request')) {
      scenarios.push({ kind: 'request', client, given: block, expectations: [] });
    } else if (client !== undefined && block.words.has('next')) {
      scenarios.push({
        kind: 'request',
        client,
        given: block,
        after: answerBefore(scenarios, client, fail),
        expectations: [],
      });
    } else if (backend !== undefined && isAnswer(block)) {
      scenarios.push({ kind: answerKind(block), backend, given: block, expectations: [] });
    } else if (backend !== undefined) {
      if (current?.kind !== 'request') return fail('a backend expectation needs a client request before it');
      attach(current.expectations, block, backend, (own) => ({ backend, attributes: own }));
    } else if (client !== undefined) {
      if (current === undefined || current.kind === 'request')
        return fail('a client expectation needs an answer before it');
      const request = requestOf(scenarios, client);
      attach(current.expectations, block, client, (own) => ({ client, attributes: own, ...(request && { request }) }));
    } else if (['json', 'sse', 'losses', 'refused'].includes(block.lang)) fail('a block needs client= or backend=');
  }
  return scenarios;
}

function isAnswer(block: Block): boolean {
  return block.lang === 'sse' || block.words.has('response') || block.words.has('error');
}

function answerKind(block: Block): AnswerScenario['kind'] {
  if (block.lang === 'sse') return 'sse';
  return block.words.has('error') ? 'error' : 'response';
}

function answerBefore(scenarios: readonly Scenario[], client: string, fail: (reason: string) => never) {
  for (const answer of [...scenarios].reverse()) {
    if (answer.kind === 'request') continue;
    const expectation = answer.expectations.find((one) => one.client === client && one.body !== undefined);
    if (expectation !== undefined) return { answer, expectation };
  }
  return fail(`no answer for a client of ${client} before`);
}

function requestOf(scenarios: readonly Scenario[], client: string): Block | undefined {
  return [...scenarios].reverse().find((one): one is RequestScenario => one.kind === 'request' && one.client === client)
    ?.given;
}

/** Puts `block` into the expectation it belongs to: the last one of the same dialect, unless it begins a new one. */
function attach<
  T extends { body?: Block; losses?: Block; refused?: Block; attributes: Readonly<Record<string, string>> },
>(expectations: T[], block: Block, dialect: string, create: (attributes: Readonly<Record<string, string>>) => T): void {
  const slot = block.lang === 'losses' ? 'losses' : block.lang === 'refused' ? 'refused' : 'body';
  const last = expectations.at(-1);
  const same = last !== undefined && (last.attributes.client ?? last.attributes.backend) === dialect;
  const fits = same && last[slot] === undefined && slot === 'losses';
  const target = fits ? last : create(block.attributes);
  if (!fits) expectations.push(target);
  target[slot] = block;
}
