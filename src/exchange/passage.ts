import type { CanonicalError, CanonicalRequest, EncodedRequest, Loss } from '../../translators/index.js';
import type { Backend, BackendAnswer, BackendAsk, BackendCall } from '../backend.js';
import type { LossPolicy } from '../config.js';
import type { Conversation } from '../conversations/conversation.js';
import type { Keeper } from '../conversations/keeper.js';
import type { Gateway } from '../gateway.js';
import type { JsonBody } from '../http/body.js';
import type { ClientCall } from '../http/client-call.js';
import type { Failure } from '../http/failure.js';
import type { Target } from './target.js';

/** What a client wants of a model. */
export interface Ask {
  readonly json: JsonBody;
  /** The model as the client names it. */
  readonly model: string;
  readonly stream: boolean;
  /** How the client wants its stream cut. */
  readonly framing: 'sse' | 'array';
  /** The conversation it belongs to, in dialects whose services keep them. */
  readonly conversation?: Conversation;
}

/** One try to have an ask served by a target. */
export interface Attempt {
  readonly gateway: Gateway;
  readonly call: ClientCall;
  readonly ask: Ask;
  readonly target: Target;
  readonly backend: Backend;
  readonly policy: LossPolicy;
  /** Keeps the answer, where it is to be kept. */
  readonly keeper: Keeper | undefined;
  /** The client's request in the canonical model, decoded when first needed. */
  readonly decoded: () => Decoded;
  /**
   * Calls the target's backend; connections that cannot be made are tried again. `waiting` is told what runs, in the
   * place of the client's call, when several calls run for it.
   */
  reach(ask: BackendAsk, waiting?: Waiting): Promise<Reached>;
  /** What the client is told of an answer that is no success. */
  refusal(reached: Reached): Promise<Failure>;
}

/** Who waits for a call to a backend, and ends it when there is no more use for it. */
export type Waiting = Pick<ClientCall, 'running' | 'gone' | 'stopped'>;

export interface Decoded {
  readonly request: CanonicalRequest;
  readonly body: EncodedRequest['body'];
  readonly losses: readonly Loss[];
}

/** The model to name to a backend that has one of its own for who names none: undefined where nobody named any. */
export function modelToName({ ask, target }: Attempt, { named }: { readonly named: boolean }): string | undefined {
  return named || target.model !== ask.model ? target.model : undefined;
}

/** An answer together with the call it belongs to. */
export interface Reached {
  readonly answer: BackendAnswer;
  readonly running: BackendCall;
}

/** The way of an ask through one target: what is sent, and what becomes of the answer. */
export interface Passage {
  readonly sent: BackendAsk;
  readonly losses: readonly Loss[];
  /** Calls the backend in another way than once with `sent`. */
  reach?(): Promise<Reached>;
  /** Whether refusals of the backend are passed on as they come. Absent = when it speaks the client's dialect. */
  readonly relaysErrors?: boolean;
  /** What it is made of cannot be had a second time. */
  readonly once?: boolean;
  /** Brings a successful answer to the client. Rejects while nothing was sent yet with what to tell the client. */
  deliver(reached: Reached): Promise<void>;
  /** What is answered in the place of a refusal with this status, where there is something. */
  instead?(status: number, reached: Reached): Promise<void> | undefined;
  /** The same without what the backend refused: a field on which the answer does not hang, state, turns that are too many. */
  without(error: CanonicalError): Passage | undefined | Promise<Passage | undefined>;
}
