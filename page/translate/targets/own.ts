import { computed, effect, signal } from '@preact/signals';
import { checkLooking, GatewayError, gateway, getJson, isHidden, key } from '../../gateway.js';
import { tableIn } from '../../models/rows.js';
import type { DialectId } from '../library.js';
import type { Target } from './target.js';

/** What the gateway's own models lead to, those that are asked for most first; simulators are no models. */
export const ownTargets = signal<readonly Target[]>([]);

/** So many of them are judged without having been chosen. */
export const MOST_OWN = 3;

const isUp = computed(() => gateway.value.kind === 'up');

/**
 * Asks the gateway for its models as soon as it is there, and again with each key that is typed. `known` are the dialects that there are;
 * `changed` hears that the models are others.
 */
export function followOwnTargets(known: () => readonly DialectId[], changed: () => void): () => void {
  return effect(() => {
    if (!isUp.value || known().length === 0) return;
    const asked = key.value;
    void seenWith(known).then((seen) => {
      if (seen === undefined || key.peek() !== asked || (seen.length === 0 && ownTargets.peek().length === 0)) return;
      ownTargets.value = seen;
      changed();
    });
  });
}

/** What may be seen with the present key; undefined = the gateway did not answer. */
async function seenWith(known: () => readonly DialectId[]): Promise<readonly Target[] | undefined> {
  try {
    checkLooking();
    return targetsIn(await getJson('/models?detail'), known());
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return isHidden(error.status) ? [] : undefined;
  }
}

function targetsIn(answer: unknown, known: readonly DialectId[]): readonly Target[] {
  const found = new Map<string, Target>();
  for (const { name, targets } of tableIn(answer).rows)
    for (const { dialect: spoken, host, model = name } of targets) {
      const dialect = known.find((id) => id === spoken);
      if (dialect === undefined || host === undefined || model.includes('*')) continue;
      // A name without a dot or a port would be read as that of a known host.
      const target = { dialect, model, host: /[.:]/.test(host) ? host : `http://${host}` };
      found.set(JSON.stringify(target), target);
    }
  return [...found.values()];
}
