import { type CallerDialect, type DialectId, scanMembers } from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { Failure } from '../ground/plain/index.js';
import { checkKeyModel, type ModelKey } from './keys.js';
import { modelId } from './model-name.js';

/** Members whose text, or each text of whose list, names a model; in small letters. */
const NAMING = new Set(['model', 'models', 'fallbacks', 'modelname', 'model_name']);

/** The members of requests of these dialects in which a `model` is data. */
export function dataMembersOf(dialects: readonly Pick<CallerDialect, 'requestFields'>[]): ReadonlySet<string> {
  return new Set(dialects.flatMap(({ requestFields }) => requestFields.data));
}

/**
 * Throws 403 when the caller's key does not permit a model that is asked for: the one of the request, and whatever else
 * its body names, since a backend may take that (fallbacks, tools that call a model). Throws 400 for a `model` that
 * readers of JSON understand differently, because it comes twice or in other letters. Keys without a list pass. `data` =
 * the members in which a `model` is data.
 */
export function checkNamedModels(
  key: ModelKey | undefined,
  dialect: DialectId,
  { model, text }: { readonly model: string; readonly text: string },
  data: ReadonlySet<string>,
): void {
  if (key?.models === undefined) return;
  if (model !== '') checkKeyModel(key, model);
  const { asksInBody } = gatewayDialect(dialect);
  const names = new Set<string>();
  scanMembers(text, {
    member(name, object) {
      if (data.has(name)) return 'skip';
      const folded = name.normalize('NFKC').toLowerCase();
      if (folded === 'model') {
        if (name !== 'model') throw ambiguous('in other letters');
        if (object.has(name)) throw ambiguous('more than once');
        object.add(name);
      }
      return NAMING.has(folded) ? 'text' : 'search';
    },
    // Where the path names the model, bodies repeat it as a resource name.
    text: (name) => names.add(asksInBody ? name : modelId(name)),
  });
  for (const name of names) checkKeyModel(key, name);
}

function ambiguous(how: string): Failure {
  const message = `model: must not be named ${how}: this API key may use some models only`;
  return new Failure({ kind: 'invalid_request', message, path: '/model' });
}
