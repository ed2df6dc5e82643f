/** A fault of a client that is no fault of the gateway: every row of it has to fall. */
export interface KnownFault {
  readonly client: RegExp;
  readonly backend: RegExp;
  readonly check: RegExp;
  /** What falls and why. */
  readonly why: string;
}

const RELAYED_NAME =
  'a relayed answer names the model as the backend does, and the test wants the name that it asked for';
const OTHER_MODEL = /^test_a?(?:invoke|stream)_with_model_override$/;

const NO_FRAMES = 'it reads no errors in a stream, and a relayed one ends after its error as that of the backend does';
const EMPTY_TEXT =
  'its chat keeps the empty text that ends a stream and sends it back, which the service refuses; both are relayed';

/** Known faults by language. */
export const KNOWN: Readonly<Record<string, readonly KnownFault[]>> = {
  python: [
    {
      client: /^google-genai$/,
      backend: /^generateContent$/,
      check: /^tool (?:streamed|slow)$/,
      why: EMPTY_TEXT,
    },
    {
      client: /^langchain-tests, google-genai$/,
      backend: /./,
      check: OTHER_MODEL,
      why: 'it puts the other model into the configuration of the request, which its SDK refuses',
    },
    {
      client: /^langchain-tests, google-genai$/,
      backend: /^generateContent$/,
      check: /^test_tool_message_(?:histories_(?:string|list)_content|error_status)$/,
      why: 'it sends calls that no model made, without the signature that the service demands of them; they are relayed',
    },
    {
      client: /^langchain-tests, openai chat$/,
      backend: /^chatCompletions$/,
      check: OTHER_MODEL,
      why: RELAYED_NAME,
    },
    {
      client: /^langchain-tests, openai responses$/,
      backend: /^responses$/,
      check: OTHER_MODEL,
      why: RELAYED_NAME,
    },
    {
      client: /^langchain-tests, anthropic$/,
      backend: /^messages$/,
      check: OTHER_MODEL,
      why: RELAYED_NAME,
    },
  ],
  java: [
    {
      client: /^google-genai$/,
      backend: /^generateContent$/,
      check: /^tool (?:streamed|slow)$/,
      why: EMPTY_TEXT,
    },
    {
      client: /^langchain4j openai$/,
      backend: /^chatCompletions$/,
      check: /^error (?:streamed|slow)$/,
      why: NO_FRAMES,
    },
    {
      client: /^langchain4j gemini$/,
      backend: /^generateContent$/,
      check: /^error (?:streamed|slow)$/,
      why: NO_FRAMES,
    },
  ],
};
