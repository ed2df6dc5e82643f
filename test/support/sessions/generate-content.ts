import {
  type Candidate,
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentResponse,
  type Part,
  ThinkingLevel,
} from '@google/genai';
import { connectGenerateContent } from '../clients.js';
import {
  createPieceClock,
  type Session,
  type SessionOptions,
  type TextPiece,
  type Turn,
  UnfinishedAnswer,
} from './session.js';

/** A conversation through `@google/genai`; the history is the list of `contents`. */
export function createGenerateContentSession(url: string, options: SessionOptions): Session {
  const client = connectGenerateContent(url, { apiKey: options.apiKey, fetch: options.fetch });
  const contents: Content[] = [];
  const config = printConfig(options);
  return {
    user(text, image) {
      const picture: Part[] = image ? [{ inlineData: { mimeType: image.mime, data: image.base64 } }] : [];
      contents.push({ role: 'user', parts: [...picture, { text }] });
    },
    results(results) {
      contents.push({
        role: 'user',
        parts: results.map(({ id, name, output }) => ({ functionResponse: { id, name, response: { output } } })),
      });
    },
    async send({ stream, model = options.model }) {
      const clock = createPieceClock();
      const parameters = { model, contents, config };
      const answer = stream
        ? await fold(await client.models.generateContentStream(parameters), (text) => clock.add(text))
        : readAnswer(await client.models.generateContent(parameters));
      if (answer.parts.length > 0) contents.push({ role: 'model', parts: answer.parts });
      return readTurn(answer, clock.pieces);
    },
  };
}

function printConfig(options: SessionOptions): GenerateContentConfig {
  const { system, tools, toolChoice, schema, reasoning, maxTokens, stop } = options;
  return {
    ...(system === undefined ? {} : { systemInstruction: system }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(stop ? { stopSequences: [...stop] } : {}),
    ...(reasoning ? { thinkingConfig: { thinkingLevel: ThinkingLevel.LOW, includeThoughts: true } } : {}),
    ...(schema ? { responseMimeType: 'application/json', responseJsonSchema: schema } : {}),
    ...(toolChoice === undefined ? {} : { toolConfig: { functionCallingConfig: printChoice(toolChoice) } }),
    ...(tools
      ? {
          tools: [
            {
              functionDeclarations: tools.map(({ name, description, parameters }) => ({
                name,
                description,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }
      : {}),
  };
}

function printChoice(choice: NonNullable<SessionOptions['toolChoice']>) {
  if (typeof choice === 'object') return { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: [choice.name] };
  const modes = {
    auto: FunctionCallingConfigMode.AUTO,
    required: FunctionCallingConfigMode.ANY,
    none: FunctionCallingConfigMode.NONE,
  };
  return { mode: modes[choice] };
}

/** What one answer says, whole or put together from chunks. */
interface Answer {
  readonly parts: Part[];
  readonly finishReason?: Candidate['finishReason'];
  readonly blocked: boolean;
  readonly last: GenerateContentResponse | undefined;
}

function readAnswer(response: GenerateContentResponse): Answer {
  const candidate = response.candidates?.[0];
  return {
    parts: candidate?.content?.parts ?? [],
    ...(candidate?.finishReason === undefined ? {} : { finishReason: candidate.finishReason }),
    blocked: response.promptFeedback?.blockReason !== undefined,
    last: response,
  };
}

/** The parts of all chunks in order, as they came; a text that is empty and unsigned says nothing and is left out. */
async function fold(stream: AsyncIterable<GenerateContentResponse>, onText: (text: string) => void): Promise<Answer> {
  let folded: Answer = { parts: [], blocked: false, last: undefined };
  for await (const chunk of stream) {
    const { parts, ...answer } = readAnswer(chunk);
    for (const part of parts) if (!part.thought) onText(part.text ?? '');
    const said = parts.filter((part) => part.text !== '' || part.thoughtSignature !== undefined);
    folded = { ...folded, ...answer, parts: [...folded.parts, ...said], blocked: folded.blocked || answer.blocked };
  }
  return folded;
}

function readTurn(answer: Answer, pieces: readonly TextPiece[]): Turn {
  const { parts, last } = answer;
  const textOf = (wanted: boolean): string =>
    parts
      .flatMap((part) => (part.text !== undefined && (part.thought === true) === wanted ? [part.text] : []))
      .join('');
  const calls = parts.flatMap(({ functionCall }) =>
    functionCall ? [{ id: functionCall.id ?? '', name: functionCall.name ?? '', args: functionCall.args ?? {} }] : [],
  );
  const thoughts = textOf(true);
  const usage = last?.usageMetadata;
  return {
    text: textOf(false),
    calls,
    finish: readFinish(answer, calls.length > 0),
    ...(thoughts === '' ? {} : { reasoning: thoughts }),
    usage: {
      input: (usage?.promptTokenCount ?? 0) + (usage?.toolUsePromptTokenCount ?? 0),
      output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
      cached: usage?.cachedContentTokenCount ?? 0,
      reasoning: usage?.thoughtsTokenCount ?? 0,
    },
    pieces,
    native: last,
  };
}

function readFinish({ finishReason, blocked }: Answer, calls: boolean): Turn['finish'] {
  if (blocked) return 'refusal';
  switch (finishReason) {
    case 'STOP':
      return calls ? 'calls' : 'end';
    case 'MAX_TOKENS':
      return 'length';
    case 'SAFETY':
    case 'PROHIBITED_CONTENT':
      return 'refusal';
    default:
      throw new UnfinishedAnswer(`finishReason is ${finishReason}`);
  }
}
