import type { DialectId, EncodeRequestContext, JsonObject, Losses, StoredItems } from '../../translators/index.js';
import type { Backend, BackendAnswer, BackendAsk, BackendCall } from '../backend/index.js';
import type { GenerationRequest as ClientRequest, Decoded } from '../call/index.js';
import type { Target } from '../config/index.js';
import type { ClientCall } from '../http/index.js';
import { callerCredential, type LossPolicy } from '../protocol/index.js';
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
  /** Whether only the target can go on: it keeps what the body names, or makes the answer in the background itself. */
  isBound(target: Target): boolean;
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
  /** The same as the client has it. */
  readonly asked: GenerationRequest;
  readonly target: Target;
  readonly backend: Backend;
  readonly policy: LossPolicy;
  /** Persists the answer, where it is to be kept. */
  readonly storage: AnswerStorage | undefined;
  /** The client's request in the canonical model, decoded when first needed. */
  readonly decoded: () => Decoded;
  /** Attempts at other endpoints of the backend, which were not there. */
  readonly missing?: readonly Attempt[];
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

/** Files that were fetched for a request, by their URL. */
export type Media = NonNullable<EncodeRequestContext['media']>;

/** What a call plan of any kind says: how one target serves an ask. */
export interface Planned {
  readonly attempt: Attempt;
  readonly sent: BackendAsk;
  readonly losses: Pick<Losses, 'list'>;
  /** It is made of them, which cannot be had a second time. */
  readonly media?: Media;
  /** No backend is called: the answer is made here. */
  readonly local?: boolean;
  /** Whether refusals of the backend are passed on as they come. Absent = when it speaks the client's dialect. */
  readonly relaysErrors?: boolean;
}

/** The caller's own credential in the form of a backend's dialect. */
export function clientCredential({ request, query }: Attempt['call'], dialect: DialectId): Record<string, string> {
  return callerCredential({ headers: request.headers, query }, dialect);
}
