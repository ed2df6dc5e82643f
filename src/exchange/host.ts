import {
  createLosses,
  createStreamRestorer,
  type FitHostContext,
  fitRelayed,
  type HostRestorer,
  type Loss,
  refuseLosses,
} from '../../translators/index.js';
import type { Stage } from './answer-storage.js';
import type { Attempt } from './call-plan.js';
import { hostProfile, lacksOf } from './lessons.js';

/** An attempt whose body its host can take, and what was lost and is to be restored by that. */
export interface FittedAttempt {
  readonly attempt: Attempt;
  readonly losses: readonly Loss[];
  /** Gives the answer back what the body lost; undefined where it passes as it comes. */
  readonly restore?: HostRestorer;
}

/**
 * A request for a backend of the client's own dialect as its host takes it (hosts.md#presets). Paths of losses found later are those of
 * the client's body. Throws the client's error when strict refuses, or for media that the host does not take.
 */
export function fitToHost(attempt: Attempt, media?: FitHostContext['media']): FittedAttempt {
  const { ask, backend, call, gateway, policy, target } = attempt;
  const { dialect } = backend.config;
  const lacks = lacksOf(attempt);
  if (lacks.length === 0) return { attempt, losses: [] };
  const losses = createLosses();
  const fitted = fitRelayed(dialect, ask.json, {
    lacks: new Set(lacks),
    losses,
    profile: hostProfile(attempt),
    media,
    omitMedia: gateway.config.translate.omitMedia,
  });
  const { conversation } = ask;
  const found =
    conversation === undefined
      ? losses.list
      : losses.list.map((loss) => ({ ...loss, path: conversation.pathOf(target, loss.path) }));
  if (policy.policy === 'strict') refuseLosses(found, policy.allow, call.dialect);
  const { restore } = fitted;
  return {
    attempt: {
      ...attempt,
      ask: {
        ...ask,
        json: { ...ask.json, text: fitted.text, value: fitted.value },
        ...(conversation !== undefined && {
          conversation: {
            ...conversation,
            pathOf: (to, path) => conversation.pathOf(to, fitted.pathOf(path)),
          },
        }),
      },
    },
    losses: found,
    ...(restore !== undefined && { restore }),
  };
}

/** Restores the events of a relayed stream on their way to `stage`. */
export function restoredStage(stage: Stage, restore: HostRestorer | undefined, depth: number): Stage {
  if (restore?.stream === undefined) return stage;
  const restorer = createStreamRestorer(restore, depth);
  const write = (text: string): void => {
    if (text !== '') stage.write(text);
  };
  return {
    write: (piece) => write(restorer.push(piece)),
    flush() {
      write(restorer.end());
      stage.flush();
    },
    end() {
      write(restorer.end());
      return stage.end();
    },
  };
}
