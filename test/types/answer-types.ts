import type { DialectId } from '../../translators/index.js';

/**
 * The types of a whole answer and of one event of a stream of each dialect, as a client reads them. Where they differ from
 * the official client's, the reason stands there.
 */
export const ANSWER_TYPES: Record<DialectId, string> = {
  messages: `
import type * as M from '@anthropic-ai/sdk/resources/messages/messages';
import type * as B from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ErrorType } from '@anthropic-ai/sdk/resources/shared';
// The service itself leaves out citations of fetched pages, and some clients refuse them as null.
type Page = Omit<M.WebFetchBlock, 'content'> & { content: Omit<M.DocumentBlock, 'citations'> };
type Fetched = Omit<M.WebFetchToolResultBlock, 'content'> & { content: M.WebFetchToolResultErrorBlock | Page };
// Pictures in answers are an extension of the dialect (translation.md 5.1); MCP is of the beta.
type Block =
  | Exclude<M.ContentBlock, M.WebFetchToolResultBlock>
  | Fetched
  | B.BetaMCPToolUseBlock
  | B.BetaMCPToolResultBlock
  | B.BetaImageBlockParam;
type Answer = Omit<M.Message, 'content'> & { content: Block[] };
// The base specification shows the counts of the last event inside, too (translation.md 6.2).
type Delta = M.RawMessageDeltaEvent.Delta & { usage: { input_tokens: number; output_tokens: number } };
type Event =
  | { type: 'message_start'; message: Answer }
  | { type: 'content_block_start'; index: number; content_block: Block }
  | M.RawContentBlockDeltaEvent
  | M.RawContentBlockStopEvent
  | (Omit<M.RawMessageDeltaEvent, 'delta'> & { delta: Delta })
  | M.RawMessageStopEvent
  | { type: 'ping' }
  // The base specification's code, and details (translation.md 7.1.1).
  | { type: 'error'; error: { type: ErrorType; message: string; details: { error_code: string } | null; code?: string }; request_id: string | null };
`,
  responses: `
import type * as R from 'openai/resources/responses/responses';
// The service echoes every field of the request [R §4.1], also these, and as null what was not given. The text beside the
// output is of the client.
type Echo = { store: boolean; user: string | null; frequency_penalty: number; presence_penalty: number };
// Counts are null while there are none [R §4.4], and the service's own words for failures go beyond the schema
// (translation.md 7.1).
type Code = R.ResponseError['code'] | 'server_is_overloaded' | 'upstream_error' | 'timeout' | 'invalid_api_key';
// A call with free text has a status [R §4.2], which the client types only where items are listed.
type Item = Exclude<R.ResponseOutputItem, { type: 'custom_tool_call' }> | (R.ResponseCustomToolCall & { status: 'in_progress' | 'completed' | 'incomplete' });
type Answer = Omit<R.Response, 'output_text' | 'user' | 'usage' | 'error' | 'output'> & {
  output: Item[];
  usage: R.ResponseUsage | null;
  error: { code: Code; message: string } | null;
} & Partial<Echo>;
// The error stands in the event flat and nested (translation.md 6.5).
type Failure = { message: string; type: string; param: string | null; code: string | null };
type Told<E> = E extends { type: 'error' }
  ? E & { error: Failure }
  : E extends { response: R.Response }
    ? Omit<E, 'response'> & { response: Answer }
    : E extends R.ResponseOutputItemAddedEvent
      ? Omit<E, 'item'> & { item: Begun<Item> }
      : E extends R.ResponseOutputItemDoneEvent
        ? Omit<E, 'item'> & { item: Item }
      : E extends R.ResponseFunctionCallArgumentsDoneEvent
        ? E & { name: string }
        : E;
// What a search does and what a picture is are not known when they begin [R §5.4].
type Begun<I> = I extends { type: 'web_search_call' }
  ? Omit<I, 'action'>
  : I extends { type: 'image_generation_call' }
    ? Omit<I, 'result'>
    : I;
type Event = Told<R.ResponseStreamEvent>;
`,
  generateContent: `
import type * as G from '@google/genai';
// Enums of this client are their words on the wire.
type Wire<T> = T extends string ? \`\${T}\` : T extends readonly (infer I)[] ? Wire<I>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
type Body = Wire<Pick<G.GenerateContentResponse, 'usageMetadata' | 'modelVersion' | 'responseId' | 'promptFeedback'>>;
// The client's types require nothing; its readers want these, and parts that are no empty list.
type Part = Wire<G.Part>;
type Content = { role: 'model'; parts: [Part, ...Part[]] };
type Candidate = Omit<Wire<G.Candidate>, 'content' | 'index'> & { content: Content; index: number };
type Named = Required<Pick<Body, 'modelVersion' | 'responseId'>>;
type Said<C> =
  | (Omit<Body, 'promptFeedback'> & Named & { candidates: [C]; promptFeedback?: never })
  | (Body & Named & Required<Pick<Body, 'promptFeedback'>> & { candidates?: never });
type Answer = Said<Candidate & Required<Pick<Candidate, 'finishReason'>>>;
type Event = Said<Candidate> | { error: { code: number; message: string; status: string } };
`,
};

/** For each dialect a key of its answers and one of some event that no reader should have to miss. */
export const REQUIRED: Record<DialectId, { readonly answer: string; readonly event: string }> = {
  messages: { answer: 'stop_details', event: 'index' },
  responses: { answer: 'incomplete_details', event: 'sequence_number' },
  generateContent: { answer: 'responseId', event: 'modelVersion' },
};
