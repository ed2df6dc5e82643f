import type { Loss } from '../../translators/index.js';
import { isUnforeseen, toCanonicalError } from '../ground/plain/index.js';
import { type ClientCall, lossesIn, type WebOutcome } from '../web/index.js';
import type { HandlerRecord } from './options.js';

type Facts = { -readonly [Name in keyof HandlerRecord]?: HandlerRecord[Name] };

/** The record of one request while it goes on. */
export interface Recording {
  /** What is known so far. */
  readonly facts: Facts;
  /** The answer of a model was read to its end. */
  complete(outcome: WebOutcome): void;
  /** The client left. */
  left(): void;
  /** The request was refused, or failed. */
  failed(thrown: unknown): void;
  /** The head of the answer is there. The record is reported once the answer has ended too; `whole` = it has. */
  answered(response: Response, whole: boolean): void;
}

/** Begins the record of a request; `report` gets it once, at its end. */
export function createRecording(call: ClientCall, report: (record: HandlerRecord) => void): Recording {
  const begun = performance.now();
  const since = (): number => Math.round(performance.now() - begun);
  const facts: Facts = {};
  let losses: readonly Loss[] = [];
  let outcome = 'ok';
  let ended = false;
  let head: { readonly status: number; readonly headMs: number } | undefined;
  let reported = false;
  const end = (): void => {
    if (reported || head === undefined || !ended) return;
    reported = true;
    const { id, dialect: client, method, path } = call;
    report({ id, client, method, path, passed: 0, ...facts, ...head, outcome, losses, ms: since() });
  };
  return {
    facts,
    complete({ losses: found, facts: { usage, finish } = {}, failed }) {
      losses = found;
      if (usage?.input !== undefined) facts.inputTokens = usage.input;
      if (usage?.output !== undefined) facts.outputTokens = usage.output;
      if (finish !== undefined) facts.finish = finish;
      if (failed !== undefined) outcome = failed.kind;
      ended = true;
      end();
    },
    left() {
      outcome = 'client_closed';
      ended = true;
      end();
    },
    failed(thrown) {
      losses = lossesIn(thrown);
      outcome = toCanonicalError(thrown).kind;
      if (isUnforeseen(thrown)) facts.fault = thrown;
      ended = true;
    },
    answered({ status }, whole) {
      head = { status, headMs: since() };
      if (whole) ended = true;
      end();
    },
  };
}
