import type { CanonicalError, HostFeature, JsonObject, Loss, StoredItems } from '../../translators/index.js';
import type { Backend, BackendAnswer, BackendAsk, BackendCall } from '../backend/index.js';
import type { GenerationRequest as ClientRequest, Decoded } from '../call/index.js';
import type { Target } from '../config/index.js';
import type { Failure } from '../ground/index.js';
import type { ClientCall, Waiting } from '../http/index.js';
import type { LossPolicy } from '../protocol/index.js';
import type { AnswerStorage } from './answer-storage.js';
import type { ExchangeServices } from './services.js';

/** What a client asks of a model, with the conversation it belongs to in dialects whose services keep them. */
export interface GenerationRequest extends ClientRequest {
  readonly conversation?: AskedConversation;
}

/** The conversation that an ask belongs to, as far as the way of one request goes. */
export interface AskedConversation {
  /** The client's body as answers repeat it: it says whether the answer is kept. */
  readonly echo: JsonObject;
  /** Kept items by the id under which the body names them, for who decodes it. */
  readonly state: StoredItems;
  /** The targets that can go on with it, in their order. Throws the client's error when none can. */
  choose(targets: readonly Target[]): readonly Target[];
  /** What is asked of a backend of the client's own dialect. */
  askOf(target: Target, ask: GenerationRequest): GenerationRequest;
  /**
   * The backend does not know any more what it kept: from now on it is asked with everything. False when that cannot be,
   * or was tried.
   */
  rebuild(target: Target): boolean;
  /** The path in the client's body for the path of a loss in a request to a target. */
  pathOf(target: Target, path: string): string;
  /** Persists the answer of a target; undefined where nothing is to be kept and nothing to be reported. */
  storageOf(target: Target): AnswerStorage | undefined;
}

/** One try to have an ask served by a target. */
export interface Attempt<S extends ExchangeServices = ExchangeServices> {
  readonly gateway: S;
  readonly call: ClientCall;
  readonly ask: GenerationRequest;
  readonly target: Target;
  readonly backend: Backend;
  readonly policy: LossPolicy;
  /** What else the host does not support, as it said of the same request before. */
  readonly learned?: readonly HostFeature[];
  /** How many tokens its model generates at most, as the same refusals said. */
  readonly learnedCap?: number;
  /** How many refusals of the request revealed that. */
  readonly restrictions?: number;
  /** Persists the answer, where it is to be kept. */
  readonly storage: AnswerStorage | undefined;
  /** The client's request in the canonical model, decoded when first needed. */
  readonly decoded: () => Decoded;
  /**
   * Calls the target's backend; connections that cannot be made are tried again. `waiting` gets what runs, in the
   * place of the client's call, when several calls run for it.
   */
  callWithRetry(ask: BackendAsk, waiting?: Waiting): Promise<AnsweredCall>;
  /** The client's error for an answer that is no success. */
  refusal(answered: AnsweredCall): Promise<Failure>;
}

/** The model to name to a backend that has one of its own for who names none: undefined where nobody named any. */
export function modelToName({ ask, target }: Attempt, { named }: { readonly named: boolean }): string | undefined {
  return named || target.model !== ask.model ? target.model : undefined;
}

/** An answer together with the call it belongs to. */
export interface AnsweredCall {
  readonly answer: BackendAnswer;
  readonly running: BackendCall;
}

/** How one target serves an ask: what is sent, and what becomes of the answer. */
export interface CallPlan {
  readonly sent: BackendAsk;
  readonly losses: readonly Loss[];
  /** Calls the backend in another way than once with `sent`. */
  send?(): Promise<AnsweredCall>;
  /** No backend is called: the answer is made here. */
  readonly local?: boolean;
  /** Whether refusals of the backend are passed on as they come. Absent = when it speaks the client's dialect. */
  readonly relaysErrors?: boolean;
  /** What it is made of cannot be had a second time. */
  readonly once?: boolean;
  /** Brings a successful answer to the client. Rejects while nothing was sent yet with what to tell the client. */
  deliver(answered: AnsweredCall): Promise<void>;
  /** What is answered in the place of a refusal with this status, where there is something. */
  instead?(status: number, answered: AnsweredCall): Promise<void> | undefined;
  /** The same without what the backend refused: a field on which the answer does not hang, state, turns that are too many. */
  without(error: CanonicalError): CallPlan | undefined | Promise<CallPlan | undefined>;
}
