import type { ModelInfo } from '../../translators/index.js';
import { clientName, createModelMap, decodeSegment, mayUse, modelId, PATHS, unknownModel } from '../protocol/index.js';
import { idHeaders, jsonAnswer, readModel, readModels } from '../web/index.js';
import type { HandlerCall } from './call.js';
import { inTime } from './deadline.js';
import type { HandlerTarget } from './options.js';

/** Time to answer who asks for models. */
const ANSWER_SECONDS = 2;

/** The names of the options, and for patterns what their backends list, in the shape of the client's dialect. */
export async function serveModels(call: HandlerCall): Promise<Response> {
  const models = (await listModels(call)).filter(({ id }) => mayUse(call.key, id));
  const body = call.client.models.encodeList(models, Object.fromEntries(new URLSearchParams(call.query)));
  return jsonAnswer(200, body, idHeaders(call));
}

/** One of them, or a name that leads to a model which its backend knows. */
export async function serveModel(call: HandlerCall): Promise<Response> {
  const id = modelId(decodeSegment(PATHS.model.exec(call.path)?.[1] ?? '') ?? '');
  const found = mayUse(call.key, id) ? await findModel(call, id) : undefined;
  if (found === undefined) throw unknownModel(id, namesFor(call), 404);
  return jsonAnswer(200, call.client.models.encodeModel(found), idHeaders(call));
}

/** Names that a caller may ask for, as far as the options tell them. */
export function namesFor({ handler, key }: Pick<HandlerCall, 'handler' | 'key'>): string[] {
  return handler.models.map(([name]) => name).filter((name) => !name.endsWith('*') && mayUse(key, name));
}

async function findModel(call: HandlerCall, id: string): Promise<ModelInfo | undefined> {
  const found = createModelMap(Object.fromEntries(call.handler.models))(id);
  const [target] = found?.value ?? [];
  if (found === undefined || target === undefined) return undefined;
  const plain = sized({ id, owner: target.backend }, found.value);
  const name = target.model?.replace('*', () => found.star) ?? id;
  const asked = { ...call, settings: call.handler.settingsOf(target.backend, call.dialect) };
  const read = await inTime(ANSWER_SECONDS, target.backend, readModel(asked, name)).catch(() => 'failed' as const);
  // What the options name is there, whatever its backend lists.
  if (read === undefined) return found.name === id ? plain : undefined;
  return read === 'failed' ? plain : sized({ ...read.model, id, owner: target.backend }, found.value);
}

async function listModels(call: HandlerCall): Promise<ModelInfo[]> {
  const { models } = call.handler;
  const owners = [...new Set(models.flatMap(([, [target]]) => target?.backend ?? []))];
  const lists = new Map(await Promise.all(owners.map(async (owner) => [owner, await listOf(call, owner)] as const)));
  const found = new Map<string, ModelInfo>();
  for (const [name, targets] of models) {
    const [target] = targets;
    if (target === undefined || name.endsWith('*')) continue;
    const model = lists.get(target.backend)?.find(({ id }) => id === (target.model ?? name));
    found.set(name, sized({ ...model, id: name, owner: target.backend }, targets));
  }
  for (const [pattern, targets] of models) {
    const [target] = targets;
    if (target === undefined || !pattern.endsWith('*')) continue;
    for (const model of lists.get(target.backend) ?? []) {
      const id = clientName(pattern, target, model.id);
      if (id !== undefined && !found.has(id)) found.set(id, sized({ ...model, id, owner: target.backend }, targets));
    }
  }
  return [...found.values()];
}

/** What a backend lists; nothing where that fails, or takes too long. */
async function listOf(call: HandlerCall, backend: string): Promise<readonly ModelInfo[]> {
  const asked = { ...call, settings: call.handler.settingsOf(backend, call.dialect) };
  const listed = await inTime(ANSWER_SECONDS, backend, readModels(asked)).catch(() => undefined);
  return listed?.models ?? [];
}

/** A model with its sizes: the smallest of its targets, or what the backend of its only one reports (http.md#lists-of-models). */
function sized({ inputLimit, outputLimit, ...model }: ModelInfo, targets: readonly HandlerTarget[]): ModelInfo {
  const alone = targets.length === 1;
  const least = (sizes: readonly (number | undefined)[], reported: number | undefined): number | undefined => {
    const named = sizes.filter((size) => size !== undefined);
    return named.length === sizes.length ? Math.min(...named) : alone ? reported : undefined;
  };
  const input = least(
    targets.map(({ contextWindow }) => contextWindow),
    inputLimit,
  );
  const output = least(
    targets.map(({ maxOutput }) => maxOutput),
    outputLimit,
  );
  return {
    ...model,
    ...(input !== undefined && { inputLimit: input }),
    ...(output !== undefined && { outputLimit: output }),
  };
}
