import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../../src/simulator/rules/index.js';
import { viewOf } from '../sdk/wire-view.js';
import type { FakeDialectName, RecordedRequest, Reply, ReplyCall } from '../support/fake-backend/index.js';

/** What a backend says when it is asked for nothing else. */
export const ANSWER =
  'It is 18 degrees in Paris, "clear" with a little wind, and it stays so until the evening: 18 °C.';

/** What a backend counts. */
export const USAGE = { input: 21, output: 13 } as const;

/** Milliseconds between two pieces of a slow answer: an error then comes when the client has read for long. */
export const SLOW_MS = 60;

/** What a backend says and breaks off: so late when it is slow that a client reads before, also on a busy machine. */
const BROKEN = { text: ANSWER.repeat(3), after: 15 } as const;

/**
 * How a backend answers: whole, or with a failure: an error in the stream, a reset connection, an end without a finish; each at
 * once and slowly. `other` is `plain` under another name.
 */
export const FORMS = [
  'plain',
  'other',
  'slow',
  'error',
  'cut',
  'early',
  'slow-error',
  'slow-cut',
  'slow-early',
] as const;

export type Form = (typeof FORMS)[number];

/** Answers a request: with a call of its first tool, with what came of that call, with a value of its schema, or with a text. */
export function replyTo(dialect: FakeDialectName, form: Form, request: RecordedRequest): Reply {
  const pace = form.startsWith('slow') ? { paceMs: SLOW_MS } : {};
  const common = { usage: USAGE, ...pace };
  switch (form.replace('slow-', '')) {
    case 'error':
      return { kind: 'midstreamError', ...BROKEN, ...common };
    case 'cut':
      return { kind: 'cut', reset: true, ...BROKEN, ...common };
    case 'early':
      return { kind: 'cut', ...BROKEN, ...common };
    default:
      return { ...wholeReply(dialect, request), ...common };
  }
}

function wholeReply(dialect: FakeDialectName, request: RecordedRequest) {
  const results = viewOf(dialect, request, 'results');
  const [tool] = toolsOf(objectOf(request.body));
  const answered = results.at(-1);
  if (answered !== undefined) return { kind: 'text', text: `The tool said: ${answered.text}` } as const;
  // The model of generateContent thinks in front of every call, and signs it.
  const reasoning = dialect === 'generateContent' ? { reasoning: [] } : {};
  if (tool !== undefined) return { kind: 'calls', calls: [callOf(tool, textFor(request))], ...reasoning } as const;
  const schema = viewOf(dialect, request, 'schema');
  if (isObject(schema)) return { kind: 'json', value: sampleOf(schema, schema, textFor(request)) } as const;
  return { kind: 'text', text: ANSWER } as const;
}

interface Tool {
  readonly name: string;
  readonly schema: JsonObject;
}

/** The functions of a request in the words of any dialect. */
function toolsOf(body: JsonObject): Tool[] {
  return objectsOf(body.tools)
    .flatMap((tool) => (tool.functionDeclarations === undefined ? [tool] : objectsOf(tool.functionDeclarations)))
    .map((tool) => (isObject(tool.function) ? tool.function : tool))
    .filter((tool) => typeof tool.name === 'string')
    .map((tool) => ({
      name: stringOf(tool.name),
      schema: objectOf(
        tool.input_schema ?? tool.parametersJsonSchema ?? tool.parameters_json_schema ?? tool.parameters,
      ),
    }));
}

/** What stands for a text: the name that the request asks to be taken, or a town. */
function textFor({ body }: RecordedRequest): string {
  return [...JSON.stringify(body).matchAll(/named '([^']+)'/g)].at(-1)?.[1] ?? 'Paris';
}

function callOf({ name, schema }: Tool, text: string): ReplyCall {
  return { name, arguments: objectOf(sampleOf(schema, schema, text)) };
}

/** A value that fits a JSON Schema of the plain kinds, with every property. */
function sampleOf(node: unknown, root: JsonObject, text: string): unknown {
  const schema = objectOf(node);
  const { $ref, anyOf, allOf } = schema;
  if (typeof $ref === 'string') {
    const path = $ref.replace(/^#\/?/, '').split('/');
    return sampleOf(
      path.reduce<unknown>((at, key) => objectOf(at)[key], root),
      root,
      text,
    );
  }
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [choice] = objectsOf(anyOf ?? allOf);
  if (choice !== undefined) return sampleOf(choice, root, text);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (String(type).toLowerCase()) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return 3;
    case 'boolean':
      return true;
    case 'array':
      return [sampleOf(schema.items, root, text)];
    case 'null':
      return null;
    default:
      return Object.fromEntries(
        Object.entries(objectOf(schema.properties)).map(([key, value]) => [key, sampleOf(value, root, text)]),
      );
  }
}
