import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  createStreamTranslator,
  type DialectId,
  FEATURES,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
} from '../translators/index.js';
import {
  type Bindings,
  type Block,
  type CaseFile,
  differences,
  type Frame,
  fillIn,
  isObject,
  loadCases,
  lossDifferences,
  parseFrames,
  parseJson,
  parseLosses,
  printFrames,
  printJson,
  printLoss,
  replaceBlocks,
} from './support/cases.js';
import { requestFaults } from './support/legal.js';
import {
  type AnswerExpectation,
  type AnswerScenario,
  type RequestExpectation,
  type RequestScenario,
  scenariosOf,
} from './support/scenarios.js';
import { spellAnswer, spellRequest } from './support/spelling.js';
import { atVendor } from './support/vendors.js';

type Loss = { path: string; feature: string; kind: string; detail: string };

/** What a host would pass in: fixed, so that ids and times are the same in every run. */
const HOST = { now: 1_700_000_000, nonce: 'test' };

const UPDATE = process.env.UPDATE === '1';
const rewritten = new Map<CaseFile, Map<Block, string>>();

for (const file of loadCases(join(import.meta.dirname, 'cases'))) {
  describe(`${file.name}: ${file.title}`, () => {
    const names = new Set<string>();
    for (const scenario of scenariosOf(file)) {
      if (scenario.kind === 'request') {
        for (const expectation of scenario.expectations) {
          test(unique(requestName(scenario, expectation), names), () => runRequest(file, scenario, expectation));
        }
        continue;
      }
      for (const expectation of scenario.expectations) {
        const name = `${headingOf(scenario)}${scenario.kind} of ${scenario.backend} to ${expectation.client}`;
        test(unique(name, names), () => runAnswer(file, scenario, expectation));
      }
    }
  });
}

afterAll(() => {
  for (const [file, replacements] of rewritten) {
    writeFileSync(file.path, replaceBlocks(readFileSync(file.path, 'utf8'), replacements));
  }
});

function requestName(scenario: RequestScenario, expectation: RequestExpectation): string {
  const { model, profile } = expectation.attributes;
  const target = [expectation.backend, model, profile].filter((word) => word !== undefined).join(' ');
  const turn = scenario.after === undefined ? 'request' : 'next request';
  return `${headingOf(scenario)}${turn} of ${scenario.client} to ${target}`;
}

function headingOf(scenario: RequestScenario | AnswerScenario): string {
  return scenario.given.heading === '' ? '' : `${scenario.given.heading}: `;
}

function unique(name: string, names: Set<string>): string {
  let found = name;
  for (let n = 2; names.has(found); n++) found = `${name} (${n})`;
  names.add(found);
  return found;
}

// Requests

function runRequest(file: CaseFile, scenario: RequestScenario, expectation: RequestExpectation): void {
  const given = parseJson(file, scenario.given);
  const bindings: Bindings = new Map();
  if (scenario.after !== undefined) bindAnswer(file, scenario.after.answer, scenario.after.expectation, bindings);
  const body = fillIn(given, bindings);
  const before = JSON.stringify(body);
  const call = () => translateRequest(requestOptions(file, scenario, expectation, body));
  if (expectation.refused !== undefined) {
    checkRefusal(file, expectation.refused, call);
    return;
  }
  const result = call();
  expect(JSON.stringify(body)).toBe(before);
  expect(result.stream).toBe(streams(scenario.given, body));
  if (expectation.body !== undefined) {
    const wanted = parseJson(file, expectation.body);
    const found = differences(
      spellRequest(expectation.backend, wanted),
      spellRequest(expectation.backend, result.body),
      bindings,
    );
    settle(file, expectation.body, found, printJson(result.body));
  }
  if (expectation.backend !== scenario.client && !isElsewhere(expectation)) {
    const { model = '', host } = expectation.attributes;
    expect({
      refusedByTheService: requestFaults(
        expectation.backend as DialectId,
        result.body,
        model,
        host === 'cloud' ? 'cloud' : 'dev',
      ),
    }).toEqual({
      refusedByTheService: [],
    });
  }
  checkPaths(body, result.losses);
  checkLosses(file, expectation.losses, result.losses);
}

/** Whether the request goes to a server that only speaks the dialect of the vendor whose refusals are known. */
function isElsewhere({ attributes: { profile = '' } }: RequestExpectation): boolean {
  return /"(?:host|server)":/.test(profile) && !profile.includes('"api.openai.com"');
}

function requestOptions(file: CaseFile, scenario: RequestScenario, expectation: RequestExpectation, body: unknown) {
  const { model, profile, strict, allow } = expectation.attributes;
  const url = scenario.given.attributes.model ?? (scenario.client === 'generateContent' ? 'm' : undefined);
  const media =
    scenario.media === undefined
      ? undefined
      : (parseJson(file, scenario.media) as Record<string, { mime: string; base64: string }>);
  const flags = profile === undefined ? undefined : (JSON.parse(profile) as object);
  return {
    from: scenario.client as DialectId,
    to: expectation.backend as DialectId,
    body,
    domain: `test-${expectation.backend}`,
    ...(url !== undefined && { model: url }),
    ...(scenario.given.attributes.stream !== undefined && { stream: scenario.given.attributes.stream === 'true' }),
    profile: { ...atVendor(expectation.backend as DialectId), ...flags, ...(model !== undefined && { model }) },
    ...(strict !== undefined && { strict: strict === 'true' }),
    ...(allow !== undefined && { allow: allow.split(',') }),
    ...(media !== undefined && { media: new Map(Object.entries(media)) }),
  };
}

function streams(given: Block, body: unknown): boolean {
  return given.attributes.stream === 'true' || (isObject(body) && body.stream === true);
}

// Answers

function runAnswer(file: CaseFile, scenario: AnswerScenario, expectation: AnswerExpectation): void {
  const bindings: Bindings = new Map();
  if (scenario.kind === 'error') {
    runError(file, scenario, expectation, bindings);
    return;
  }
  if (expectation.refused !== undefined) {
    checkRefusal(file, expectation.refused, () => translate(file, scenario, expectation));
    return;
  }
  const { found, printed, losses } = compareAnswer(file, scenario, expectation, bindings);
  if (expectation.body !== undefined) settle(file, expectation.body, found, printed);
  checkLosses(file, expectation.losses, losses);
}

/** Fills `bindings` from an answer's expectation. */
function bindAnswer(
  file: CaseFile,
  scenario: AnswerScenario,
  expectation: AnswerExpectation,
  bindings: Bindings,
): void {
  const { found } = compareAnswer(file, scenario, expectation, bindings);
  expect({ answerBefore: found }).toEqual({ answerBefore: [] });
}

function compareAnswer(file: CaseFile, scenario: AnswerScenario, expectation: AnswerExpectation, bindings: Bindings) {
  const { frames, body, losses } = translate(file, scenario, expectation);
  if (expectation.body === undefined) return { found: [], printed: '', losses };
  if (frames === undefined) {
    const wanted = parseJson(file, expectation.body);
    const found = differences(spellAnswer(expectation.client, wanted), spellAnswer(expectation.client, body), bindings);
    return { found, printed: printJson(body), losses };
  }
  const wanted = parseFrames(expectation.body.text).map((frame) => ({
    ...frame,
    data: spellAnswer(expectation.client, frame.data),
  }));
  const actual = frames.map((frame) => ({ ...frame, data: spellAnswer(expectation.client, frame.data) }));
  return { found: differences(wanted, actual, bindings), printed: printFrames(frames), losses };
}

function answerOptions(file: CaseFile, scenario: AnswerScenario, expectation: AnswerExpectation) {
  return {
    ...HOST,
    from: scenario.backend as DialectId,
    to: expectation.client as DialectId,
    domain: `test-${scenario.backend}`,
    ...(expectation.request !== undefined && {
      request: parseJson(file, expectation.request),
      ...(expectation.client === 'generateContent' && { model: expectation.request.attributes.model ?? 'm' }),
    }),
    ...(scenario.given.attributes.profile !== undefined && {
      profile: JSON.parse(scenario.given.attributes.profile) as object,
    }),
    ...(expectation.attributes.framing !== undefined && { framing: expectation.attributes.framing as 'sse' | 'array' }),
    ...(expectation.attributes.trailingState !== undefined && {
      trailingState: expectation.attributes.trailingState as 'drop' | 'emit',
    }),
  };
}

function translate(
  file: CaseFile,
  scenario: AnswerScenario,
  expectation: AnswerExpectation,
): { frames?: Frame[]; body?: unknown; losses: readonly Loss[] } {
  const options = answerOptions(file, scenario, expectation);
  if (scenario.kind === 'response') {
    const source = parseJson(file, scenario.given);
    const result = translateResponse({ ...options, body: source });
    checkPaths(source, result.losses);
    return { body: result.body, losses: result.losses };
  }
  const source = sourceText(scenario.given);
  const whole = runStream(options, [source]);
  for (const size of [1, 7]) {
    const pieces = runStream(options, slices(new TextEncoder().encode(source), size));
    expect(pieces.text).toBe(whole.text);
  }
  const frames = readFrames(expectation, whole.text);
  return { frames, losses: whole.losses };
}

function runStream(options: ReturnType<typeof answerOptions>, chunks: readonly (string | Uint8Array)[]) {
  const translator = createStreamTranslator(options);
  let text = '';
  for (const chunk of chunks) text += translator.push(chunk);
  text += translator.end();
  return { text, losses: translator.losses };
}

/** The frames of a stream, checked for what holds in every stream of the dialect. */
function readFrames(expectation: AnswerExpectation, text: string): Frame[] {
  if (expectation.attributes.framing === 'array') return (JSON.parse(text) as unknown[]).map((data) => ({ data }));
  const frames = parseFrames(text);
  if (expectation.client === 'chatCompletions') return withoutEnvelopes(frames);
  expect(text).not.toContain('[DONE]');
  if (expectation.client === 'generateContent') return frames;
  for (const frame of frames) expect(isObject(frame.data) ? frame.data.type : undefined).toBe(frame.event);
  if (expectation.client !== 'responses') return frames;
  return frames.map((frame, n) => {
    const { sequence_number, ...data } = isObject(frame.data) ? frame.data : {};
    expect(sequence_number).toBe(n);
    return { ...frame, data };
  });
}

/** Chunks without what each of them repeats, which is checked to be the same in all; after the last one comes its own line. */
function withoutEnvelopes(frames: readonly Frame[]): Frame[] {
  const chunks = frames.map(({ data }) => data).filter(isObject);
  const envelopes = chunks.map(({ id, object, created, model }) => JSON.stringify({ id, object, created, model }));
  expect(new Set(envelopes).size).toBe(1);
  expect(frames.slice(0, -1).map(({ data }) => data)).not.toContain('[DONE]');
  return frames.map(({ data }) => {
    if (!isObject(data)) return { data };
    const { id: _id, object: _object, created: _created, model: _model, ...chunk } = data;
    return { data: chunk };
  });
}

/** The bytes of a stream block: `eol=crlf` or `eol=cr` sets the line ends, `cut` leaves the last blank line out. */
function sourceText(block: Block): string {
  const eol = { crlf: '\r\n', cr: '\r' }[block.attributes.eol ?? ''] ?? '\n';
  return block.text.replaceAll('\n', eol) + (block.words.has('cut') ? '' : eol + eol);
}

function slices(bytes: Uint8Array, size: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(bytes.subarray(at, at + size));
  return found;
}

// Errors

function runError(file: CaseFile, scenario: AnswerScenario, expectation: AnswerExpectation, bindings: Bindings): void {
  const { given } = scenario;
  const result = translateError({
    from: scenario.backend as DialectId,
    to: expectation.client as DialectId,
    status: Number(given.attributes.status),
    body: given.lang === 'json' ? parseJson(file, given) : given.text,
    headers: headersOf(given.attributes),
  });
  if (expectation.body !== undefined) {
    const wanted = parseJson(file, expectation.body);
    settle(file, expectation.body, differences(wanted, result.body, bindings), printJson(result.body));
  }
  expect(result.status).toBe(Number(expectation.attributes.status));
  for (const [name, value] of Object.entries(headersOf(expectation.attributes))) {
    expect({ [name]: result.headers[name] }).toEqual({ [name]: value === 'none' ? undefined : value });
  }
}

function headersOf(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(attributes).filter(([key]) => key.startsWith('header:'));
  return Object.fromEntries(pairs.map(([key, value]) => [key.slice('header:'.length), value]));
}

// What is common to all

/** A refusal: `kind path` on the first line (`|` between kinds, `*` at the end of a path), then pieces of the message. */
function checkRefusal(file: CaseFile, block: Block, call: () => unknown): void {
  const [head = '', ...pieces] = block.text.split('\n').filter((line) => line.trim() !== '');
  const [kinds = '', path = ''] = head.trim().split(/\s+/);
  let thrown: unknown;
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    thrown = error;
  }
  if (thrown === undefined) throw new Error(`${file.name}: not refused, but translated to ${JSON.stringify(result)}`);
  if (!(thrown instanceof TranslationError)) throw thrown;
  const failure: TranslationError = thrown;
  expect(kinds.split('|')).toContain(failure.kind);
  if (path.endsWith('*')) expect(failure.path.startsWith(path.slice(0, -1)) ? path : failure.path).toBe(path);
  else expect(failure.path).toBe(path === '""' ? '' : path);
  for (const piece of pieces) expect(failure.message.toLowerCase()).toContain(piece.trim().toLowerCase());
}

/** Every loss names a feature that is explained, and a place that is in the source. */
function checkPaths(source: unknown, losses: readonly Loss[]): void {
  for (const { path, feature } of losses) {
    expect(feature in FEATURES || feature.startsWith('ext.') ? feature : `unexplained: ${feature}`).toBe(feature);
    if (!path.startsWith('/$'))
      expect({ [`in the source: ${path}`]: reaches(source, path) }).toEqual({ [`in the source: ${path}`]: true });
  }
}

function reaches(source: unknown, path: string): boolean {
  let at = source;
  for (const step of path.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isObject(at)) at = at[key];
    else return false;
    if (at === undefined) return false;
  }
  return true;
}

function checkLosses(file: CaseFile, block: Block | undefined, losses: readonly Loss[]): void {
  if (block === undefined) return;
  settle(file, block, lossDifferences(parseLosses(block), losses), losses.map(printLoss).join('\n'));
}

/** Fails with what differs; an accept run notes the actual text for the block instead. */
function settle(file: CaseFile, block: Block, found: readonly string[], actual: string): void {
  if (found.length === 0) return;
  if (!UPDATE) throw new Error(`${file.path}:${block.lines[0]}\n${found.join('\n')}\n--- actual\n${actual}`);
  const replacements = rewritten.get(file) ?? new Map<Block, string>();
  rewritten.set(file, replacements.set(block, actual));
}
