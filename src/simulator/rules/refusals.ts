import { checkChatCompletions } from './chat-completions/rules.js';
import { checkGenerate } from './generate-content/rules.js';
import { isObject, type JsonObject, objectsOf, stringOf } from './json.js';
import type { Generation } from './messages/limit-rules.js';
import { checkMessages } from './messages/rules.js';
import { checkBetas } from './messages/tool-rules.js';
import { checkResponses } from './responses/rules.js';
import type { StateKeeper } from './state.js';
import type { Violation } from './violation.js';

/** A request for the service of a dialect, with what is known of it beside its body. */
export interface ServiceRequest {
  readonly body: unknown;
  /** One that the service is not known to have takes what any of its models takes. */
  readonly model?: string;
  /** It goes to the enterprise host of the service. */
  readonly cloud?: boolean;
  /** The version of the protocol that its header names, where the dialect has one; default the usual one. */
  readonly version?: string;
  /** The features that its header names; absent = the header is not known, and named what is needed. */
  readonly betas?: readonly string[];
}

/** What a service would answer with a 400. */
export interface ServiceRefusal {
  /** JSON Pointer into the body that the service gets; '' where it names no place but in its words. */
  readonly path: string;
  /** The words of the service. */
  readonly message: string;
}

/**
 * The first thing for which the service of a dialect refuses a request; undefined = it takes the request. What the service alone
 * can know (opaque state and answers that it issued) is believed, and so is everything of a dialect without rules.
 */
export function serviceRefusal(dialect: string, { body, ...request }: ServiceRequest): ServiceRefusal | undefined {
  if (!isObject(body)) return { path: '', message: 'The request body is not a JSON object.' };
  const [first] = SERVICES.get(dialect)?.({ body, ...request }) ?? [];
  return first && { path: pointerOf(first.param), message: oneLine(first.message) };
}

type Check = (request: ServiceRequest & { readonly body: JsonObject }) => readonly Violation[];

const TRUSTED: StateKeeper = { issue: (binding) => binding, check: () => 'valid' };

const SERVICES: ReadonlyMap<string, Check> = new Map(
  Object.entries<Check>({
    messages({ body, model, version = '2023-06-01', betas }) {
      const beta = betas === undefined || betas.length > 0;
      const generation = generationOf(model);
      const violations = checkMessages(body, { version, beta, generation, state: TRUSTED });
      return [...violations, ...(betas === undefined ? [] : checkBetas(body, betas.join(',')))];
    },
    responses: ({ body }) =>
      checkResponses(body, {
        context: continued(body),
        issued: { reasoningOf: new Map(), stored: ALL },
        state: TRUSTED,
      }),
    generateContent({ body, model = '', cloud = false }) {
      const known = /^gem(?:ini|ma)-/.test(model);
      const gemini3 = model.startsWith('gemini-3');
      const host = cloud ? 'cloud' : 'dev';
      return checkGenerate(body, { model, host, gemini3, state: TRUSTED, takesAll: !known });
    },
    chatCompletions: ({ body }) => checkChatCompletions(body),
  }),
);

/** Every id is known. */
const ALL = { has: () => true };

/** The calls that earlier turns may have made, where the service has these turns. */
function continued({ previous_response_id: previous, conversation, input }: JsonObject): JsonObject[] {
  if (!previous && !conversation) return [];
  return objectsOf(input).flatMap(({ type, call_id: id }) => {
    const call = stringOf(type).replace(/_output$/, '');
    return call === type || objectsOf(input).some((other) => other.type === call && other.call_id === id)
      ? []
      : [{ type: call, call_id: id }];
  });
}

/** The generation of one of the vendor's models, by the version in its name; a name without one is taken for the newest. */
function generationOf(model = ''): Generation {
  if (!model.startsWith('claude-')) return 'any';
  const [, major = '5', minor = '0'] = /-(\d)(?:[-.](\d)(?!\d))?(?!\d)/.exec(model) ?? [];
  const version = Number(major) * 10 + Number(minor);
  return NEWEST_OF.find(([, newest]) => version <= newest)?.[0] ?? (model.includes('haiku') ? '4.7' : '5.5');
}

/** The newest version of each generation; the small model of 5.5 is still as those before it. */
const NEWEST_OF: readonly (readonly [Generation, version: number])[] = [
  ['4.0', 40],
  ['4.5', 45],
  ['4.6', 46],
  ['4.7', 54],
];

/** `input[0].content[1].type` as a JSON Pointer. */
function pointerOf(param: string | undefined): string {
  if (param === undefined || !/^\w+(?:\.[\w$-]+|\[\d+\])*$/.test(param)) return '';
  return `/${param.replaceAll(/\.|\[/g, '/').replaceAll(']', '')}`;
}

/** A message of several lines as one. */
function oneLine(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
