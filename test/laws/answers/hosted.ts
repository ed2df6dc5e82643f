import fc from 'fast-check';
import type { HostedCallPart, HostedResultPart, Part } from '../../../translators/canonical/content.js';
import type { JsonObject } from '../../../translators/canonical/node.js';
import type { HostedFamily } from '../../../translators/canonical/tools.js';
import type { DialectId } from '../../../translators/index.js';
import { base64, ids, jsonObjects, known, maybe, texts, toolNames, urls, words } from '../values.js';
import { bags, entries } from './parts.js';

/** What one hosted call of a family asked and brought, as its service tells it. */
interface Told {
  readonly family: HostedFamily;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly isError?: boolean;
  readonly errorCode?: string;
}

const errorCodes = fc.constantFrom('unavailable', 'max_uses_exceeded', 'too_many_requests', 'invalid_tool_input');

function told(
  family: HostedFamily,
  input: fc.Arbitrary<object>,
  output: fc.Arbitrary<object>,
  error: fc.Arbitrary<{ isError?: boolean; errorCode?: string }> = fc.constant({}),
): fc.Arbitrary<Told> {
  return fc.tuple(input, output, error).map(([asked, brought, failed]) => ({
    family,
    input: known(asked) as JsonObject,
    output: known(brought) as JsonObject,
    ...failed,
  }));
}

const failure = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: errorCodes.map((errorCode) => ({ isError: true, errorCode })) },
);
const failed = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ isError: true }) },
);

const mcp = {
  input: fc.record({
    server: toolNames,
    name: toolNames,
    arguments: fc.oneof(
      jsonObjects.map((value) => JSON.stringify(value)),
      fc.constantFrom('', 'broken', '[1]'),
    ),
  }),
  output: fc.record({ text: texts }),
};

const FROM: Record<DialectId, fc.Arbitrary<Told>> = {
  messages: fc.oneof(
    told(
      'webSearch',
      fc.record({ action: fc.constant('search'), query: words }),
      fc.record({
        sources: fc.array(fc.record({ url: urls, title: words, pageAge: maybe(words) }).map(known), { maxLength: 3 }),
      }),
    ),
    told(
      'webSearch',
      fc.record({ action: fc.constant('search'), query: words }),
      fc.constant({ sources: [] }),
      errorCodes.map((errorCode) => ({ isError: true, errorCode })),
    ),
    told('urlFetch', fc.record({ url: urls }), fc.record({ url: urls, title: maybe(words), text: maybe(texts) })),
    told(
      'urlFetch',
      fc.record({ url: urls }),
      fc.constant({ url: undefined }),
      fc.constantFrom('url_not_accessible', 'url_too_long').map((errorCode) => ({ isError: true, errorCode })),
    ),
    told(
      'codeExec',
      fc.record({ code: texts, language: maybe(fc.constantFrom('bash', 'text_editor')) }),
      fc.record({
        stdout: texts,
        stderr: maybe(words),
        exitCode: fc.constantFrom(0, 0, 1, 137),
        files: maybe(fc.array(ids, { minLength: 1, maxLength: 2 })),
      }),
    ),
    told(
      'codeExec',
      fc.record({ code: texts }),
      fc.constant({ stdout: '', timedOut: true }),
      fc.constant({ isError: true, errorCode: 'execution_time_exceeded' }),
    ),
    told('codeExec', fc.record({ code: texts }), fc.constant({ stdout: '' }), failure),
    told(
      'mcp',
      mcp.input.map((input) => ({ ...input, arguments: input.arguments.startsWith('{') ? input.arguments : '{}' })),
      mcp.output,
      failed,
    ),
    told('toolSearch', jsonObjects, jsonObjects, failure),
    told('advisor', jsonObjects, jsonObjects),
    told('other', jsonObjects, jsonObjects),
  ),
  responses: fc.oneof(
    told(
      'webSearch',
      fc.oneof(
        fc.record({
          action: fc.constant('search'),
          query: maybe(words),
          queries: maybe(fc.array(words, { maxLength: 3 })),
        }),
        fc.record({ action: fc.constant('openPage'), url: maybe(urls) }),
        fc.record({ action: fc.constant('findInPage'), url: urls, pattern: words }),
      ),
      fc.record({ sources: fc.array(fc.record({ url: urls }), { maxLength: 3 }) }),
      failed,
    ),
    told(
      'fileSearch',
      fc.record({ queries: fc.array(words, { maxLength: 2 }) }),
      fc.record({ results: fc.array(jsonObjects, { maxLength: 2 }) }),
      failed,
    ),
    told(
      'codeExec',
      fc.record({ code: texts, language: fc.constant('python'), containerId: ids }),
      fc.record({ stdout: texts, files: maybe(fc.constant([{ type: 'image', url: 'https://f.example/' }])) }),
      failed,
    ),
    told('mcp', mcp.input, mcp.output, failed),
    told(
      'imageGen',
      maybe(words).map((prompt) => ({ prompt })),
      fc.record({ base64, mime: fc.constantFrom('image/png', 'image/webp'), revisedPrompt: maybe(words) }),
    ),
    told('imageGen', fc.constant({}), fc.constant({}), failed),
  ),
  generateContent: fc.oneof(
    told(
      'webSearch',
      fc
        .array(words, { minLength: 1, maxLength: 3 })
        .map((queries) => ({ action: 'search', query: queries[0], queries })),
      fc.record({ sources: fc.array(fc.record({ url: urls, title: maybe(words) }).map(known), { maxLength: 3 }) }),
    ),
    told('urlFetch', fc.record({ url: urls }), fc.record({ url: urls, status: maybe(fc.constant('success')) })),
    told(
      'urlFetch',
      fc.record({ url: urls }),
      fc.record({ url: urls, status: fc.constant('paywall') }),
      fc.constant({ isError: true, errorCode: 'paywall' }),
    ),
    told(
      'codeExec',
      fc.record({ code: texts, language: maybe(fc.constant('python')) }),
      fc.record({ stdout: texts, exitCode: fc.constantFrom(0, 1) }),
    ),
    told(
      'codeExec',
      fc.record({ code: texts, language: fc.constant('python') }),
      fc.record({ stdout: texts, timedOut: fc.constant(true) }),
      fc.constant({ isError: true, errorCode: 'execution_time_exceeded' }),
    ),
    told('maps', jsonObjects, jsonObjects),
    told('fileSearch', fc.record({ queries: fc.array(words, { maxLength: 2 }) }), fc.constant({ results: [] })),
    told(
      'mcp',
      mcp.input.map((input) => ({ ...input, server: '' })),
      mcp.output,
    ),
  ),
};

const statuses = fc.constantFrom('completed', 'completed', 'failed', 'incomplete');

/** A hosted call with what it brought; now and then one half only, as where an answer breaks off or goes on. */
export function hostedPairs(source: DialectId): fc.Arbitrary<Part[]> {
  return fc
    .record({
      told: FROM[source],
      callId: ids,
      whole: fc.nat({ max: 9 }),
      status: source === 'responses' ? statuses : fc.constant(undefined),
      state: entries(source, 'hosted').map((entry) => [entry]),
      ext: bags(source),
    })
    .map(({ told: { family, input, output, isError, errorCode }, callId, whole, status, state, ext }) => {
      const alone = whole === 0;
      const call: HostedCallPart = known({
        kind: 'hostedCall',
        callId,
        family,
        input,
        status: alone && status !== undefined ? 'in_progress' : status,
        // The item of one dialect is both halves; both keep it.
        state: alone || source === 'responses' ? state : undefined,
        ext,
      });
      if (alone) return [call];
      const orphan = whole === 1 && source === 'messages';
      const bad = isError === true || status === 'failed' ? true : undefined;
      const result: HostedResultPart = known({
        kind: 'hostedResult',
        callId,
        family,
        output,
        isError: bad,
        errorCode,
        state,
      });
      if (orphan) return [result];
      return [source === 'responses' ? (({ state: _state, ...rest }) => rest)(call) : call, result];
    });
}
