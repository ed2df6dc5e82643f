import { describe, expect, test } from '@jest/globals';
import { presetNames, presets } from '../../src/presets/index.js';
import {
  createLosses,
  type DialectId,
  dialects,
  fitRelayed,
  HOST_FEATURES,
  type HostFeature,
  TranslationError,
} from '../../translators/index.js';
import { CORPUS_ABSENT, isCreate, recordedExchanges } from '../support/corpus.js';

const LACKS = Object.keys(HOST_FEATURES) as HostFeature[];

/** What trips each feature, seen from the text alone; the others never change a body. */
const TRIPS: Readonly<Partial<Record<DialectId, Partial<Record<HostFeature, RegExp>>>>> = {
  responses: {
    customTools: /"type":"custom(?:_tool_call|_tool_call_output)?"/,
    namespaces: /"namespace":|"type":"namespace"/,
    toolSearch: /"type":"tool_search|"defer_loading":/,
    additionalTools: /"type":"additional_tools"/,
    hostedTools:
      /"type":"(?:web_search|file_search|code_interpreter|image_generation|computer|local_shell|shell|apply_patch|url_fetch)/,
    codexItems: /"type":"(?:agent_message|compaction|\w+_call(?:_output)?)"/,
    storeTrue: /"store":true/,
    encryptedReasoning: /"encrypted_content":"|reasoning\.encrypted_content/,
    summaryReasoning: /"type":"reasoning"/,
    shortMessages: /"role":"assistant"/,
    messageParts: /"type":"output_text"/,
    documents: /"type":"input_file"/,
    images: /"type":"input_(?:image|file)"/,
    imageUrls: /"image_url":"http/,
    resultMedia: /"type":"input_(?:image|file)"/,
    resultParts: /"output":\[/,
    allowedTools: /"type":"allowed_tools"/,
    parallelSwitch: /"parallel_tool_calls":false/,
    farEfforts: /"effort":"(?:minimal|xhigh|max)"/,
    logprobs: /"top_logprobs":|output_text\.logprobs"/,
    toolChoice: /"tool_choice":(?:\{|"none"|"required")/,
    namedToolChoice: /"tool_choice":\{/,
    outputFormat: /"type":"json_/,
    textFormat: /"type":"json_/,
    effort: /"effort":/,
    summaryWords: /"summary":"/,
    tiers: /"service_tier":/,
    background: /"background":true/,
    mcp: /"type":"mcp/,
    unknownKeys:
      /"(?:background|conversation|prompt\w*|safety_identifier|service_tier|stream_options|top_logprobs|client_metadata|context_management|moderation)":/,
  },
  messages: {
    messageParts: /"role":"assistant"/,
    hostedTools:
      /"type":"(?:web_|code_execution|tool_search|advisor|server_tool_use|tool_reference|\w+_tool_result")|"defer_loading":/,
    mcp: /"type":"mcp_|"mcp_servers":/,
    clientTools: /"type":"(?:bash|text_editor|memory|computer|browser)_/,
    documents: /"type":"(?:document|search_result)"/,
    images: /"type":"image"/,
    imageUrls: /"type":"url"/,
    resultMedia: /"type":"(?:image|document)"/,
    noneToolChoice: /"type":"none"/,
    parallelSwitch: /"disable_parallel_tool_use":true/,
    thinkingSwitch: /"type":"disabled"/,
    redactedThinking: /"type":"redacted_thinking"/,
    toolChoice: /"tool_choice":/,
    namedToolChoice: /"tool_choice":\{"type":"tool"|"tool_choice":\{"name"/,
    outputFormat: /"type":"json_schema"/,
    effort: /"effort":/,
    adaptive: /"type":"adaptive"/,
    thinkingBudget: /"budget_tokens":/,
    tiers: /"service_tier":/,
    systemTurns: /"role":"system"/,
    containers: /"container":/,
    unknownKeys:
      /"(?:output_config|output_format|context_management|container|mcp_servers|service_tier|cache_control|inference_geo|fallbacks?|betas|speed|thread|diagnostics)":/,
  },
};

describe.each(['responses', 'messages'] as const)('recorded %s bodies', (dialect) => {
  const bodies = recordedExchanges(dialect).filter((recorded) => isCreate(recorded) && recorded.request !== undefined);
  const table = TRIPS[dialect] ?? {};
  if (bodies.length === 0) {
    test.skip(CORPUS_ABSENT, () => {});
    return;
  }

  test.each(LACKS)('a host that lacks %s gets every other byte', (feature) => {
    let changed = 0;
    for (const { name, model, request } of bodies) {
      const text = JSON.stringify(request, undefined, 2);
      const trips = table[feature]?.test(JSON.stringify(request)) ?? false;
      const fitted = fitTo(dialect, text, model, [feature]);
      if (fitted === 'refused') continue;
      const same = fitted.text === text;
      expect({ name, same: same || trips }).toEqual({ name, same: true });
      expect(JSON.parse(fitted.text)).toEqual(JSON.parse(JSON.stringify(fitted.value)));
      if (same) continue;
      changed += 1;
      // What has not changed by value has not changed by a byte.
      for (const line of linesOf(fitted.value, JSON.parse(text))) expect(fitted.text).toContain(line);
    }
    if (changed > 0) expect(table).toHaveProperty(feature);
  });

  test.each(hostsOf(dialect))('%s gets bodies of which it lacks nothing byte for byte', (_name, unsupported) => {
    for (const { name, model, request } of bodies) {
      const text = JSON.stringify(request, undefined, 2);
      const plain = JSON.stringify(request);
      if (unsupported.some((feature) => table[feature]?.test(plain) === true)) continue;
      expect({ name, fitted: fitTo(dialect, text, model, unsupported) }).toMatchObject({ name, fitted: { text } });
    }
  });

  test('a body is fitted once: a fitted one goes to the same host as it is', () => {
    for (const { name, model, request } of bodies) {
      const text = JSON.stringify(request, undefined, 2);
      const fitted = fitTo(dialect, text, model, LACKS);
      if (fitted === 'refused') continue;
      const again = fitTo(dialect, fitted.text, model, LACKS);
      expect({ name, text: again === 'refused' ? again : again.text }).toEqual({ name, text: fitted.text });
    }
  });
});

/** The hosts that speak a dialect in part. */
function hostsOf(dialect: DialectId): (readonly [string, readonly HostFeature[]])[] {
  return presetNames.flatMap((name) => {
    const { unsupported = [] } = presets[name].endpoints[dialect] ?? {};
    return unsupported.length === 0 ? [] : [[name, unsupported] as const];
  });
}

function fitTo(dialect: DialectId, text: string, model: string, unsupported: readonly HostFeature[]) {
  const losses = createLosses();
  const profile = dialects[dialect].target(model);
  const value: unknown = JSON.parse(text);
  try {
    return fitRelayed(
      dialect,
      { text, value },
      { unsupported: new Set(unsupported), losses, target: profile, omitMedia: true },
    );
  } catch (error) {
    expect(error).toBeInstanceOf(TranslationError);
    return 'refused';
  }
}

/** The text of every member of both bodies, and of every element of their lists, that is the same in both. */
function linesOf(after: unknown, before: Readonly<Record<string, unknown>>): string[] {
  const lines: string[] = [];
  const now = after as Readonly<Record<string, unknown>>;
  const print = (value: unknown, depth: number): string =>
    JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
  for (const [key, value] of Object.entries(before)) {
    const is = now[key];
    if (JSON.stringify(is) === JSON.stringify(value)) lines.push(`"${key}": ${print(value, 1)}`);
    else if (Array.isArray(value) && Array.isArray(is)) {
      const kept = new Set(is.map((one) => JSON.stringify(one)));
      lines.push(...value.filter((one) => kept.has(JSON.stringify(one))).map((one) => print(one, 2)));
    }
  }
  return lines;
}
