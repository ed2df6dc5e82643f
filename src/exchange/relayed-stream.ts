import { createStreamRestorer, createWatcher, dialects, type HostRestorer } from '../../translators/index.js';
import { asStream, createRelayedStream, type RelayedEnd, StreamRefusal } from '../call/index.js';
import { secretFinder } from '../ground/index.js';
import { createGuardedGate } from '../guard/index.js';
import { noteFirstToken, noteLastToken, noteLosses } from '../http/index.js';
import { checkAnswerType } from '../protocol/index.js';
import { BYTES, leakOf } from './answer-guard.js';
import { exchangeHeaders, relayedType } from './answer-head.js';
import { directStage, endAt, type Stage } from './answer-storage.js';
import type { AnsweredCall } from './attempt.js';
import { createClientStream, endFailed } from './client-stream.js';
import { reportInAnswer } from './refusal.js';
import { noteLearned, type RelayedPlan, restrictionsAfter } from './relay-plan.js';
import { eventBytes, TRANSPORT } from './transport.js';

/**
 * Passes a stream on as it comes, and looks on to know whether it ended with its last word. Rejects with StreamRefusal for one that
 * begins with a refusal that reveals a restriction. What earlier ones revealed is noted at the first content, and at the end of one that
 * ends well without any.
 */
export async function relayStream(plan: RelayedPlan, answered: AnsweredCall): Promise<void> {
  const { attempt, restore } = plan;
  const losses = plan.losses.list;
  const { gateway, call, ask, target } = attempt;
  const { limits } = gateway.config;
  const sse = ask.framing === 'sse';
  if (!sse) checkAnswerType(answered.answer.headers, 'json');
  const { answer, running } = sse ? await asStream(TRANSPORT, attempt, answered) : answered;
  noteLosses(call, losses);
  const clientStream = createClientStream(
    call,
    () => ({
      ...exchangeHeaders(call, target, answer.headers, losses),
      'content-type': relayedType(target.backend, answer.headers, sse ? 'text/event-stream' : 'application/json'),
      'cache-control': 'no-cache',
      // What stands in front, nginx say, would keep a stream back until its end.
      'x-accel-buffering': 'no',
    }),
    limits.writeIdleSeconds,
  );
  const kept = attempt.storage?.relayed(clientStream) ?? directStage(clientStream);
  const stage = restoredStage(kept, restore, limits.jsonDepth);
  const watcher = createWatcher(dialects[target.backend.dialect], ask.framing, eventBytes(limits));
  let restricts = false;
  const gate = createGuardedGate({
    watcher,
    framing: ask.framing,
    finder: secretFinder(target.backend),
    redact: gateway.redact,
    bytes: BYTES,
    write: (piece) => stage.write(piece),
    report(error, first) {
      const reported = reportInAnswer(gateway, target.backend, error);
      restricts = first && !clientStream.begun && restrictionsAfter(plan, error).length > 0;
      return reported === error && !restricts ? undefined : reported;
    },
    leak: () => leakOf(attempt),
  });
  let shown = false;
  call.record.soFar = watcher.facts;
  clientStream.source = answer;
  const stream = createRelayedStream(
    watcher,
    {
      write(chunk) {
        gate.write(chunk);
        if (shown || !watcher.content) return;
        shown = true;
        noteFirstToken(call);
        noteLearned(plan);
      },
      get closed() {
        return gate.closed;
      },
      end() {
        noteLastToken(call);
        return gate.end();
      },
      get between() {
        return gate.between;
      },
      tell: gate.tell,
    },
    call.id,
  );
  return new Promise((resolve, reject) => {
    const finish = (end: RelayedEnd | undefined): void => {
      if (end === undefined) return;
      if (end.kind === 'whole') {
        call.record.error = watcher.failure?.error.kind;
        if (!shown && watcher.failure === undefined) noteLearned(plan);
        endAt(stage, call);
        resolve();
        return;
      }
      const { kind, failure, last } = end;
      stage.flush();
      if (!clientStream.begun) {
        reject(restricts ? new StreamRefusal(failure.error) : failure);
        return;
      }
      // Behind the finish nothing but the last line was missing.
      if (kind !== 'finished') call.record.error = failure.error.kind;
      if (kind === 'cut') clientStream.breakOff();
      else clientStream.write(last);
      if (kind === 'failed') endFailed(clientStream, attempt).then(resolve);
      else {
        if (kind === 'finished') clientStream.end();
        resolve();
      }
    };
    answer.pipe({
      data(chunk) {
        const end = stream.write(chunk);
        if (end === undefined) return;
        finish(end);
        running.abort();
      },
      end: () => finish(stream.end()),
      fail: (failure) => finish(stream.end(failure)),
    });
  });
}

/** Restores the events of a relayed stream on their way to `stage`. */
function restoredStage(stage: Stage, restore: HostRestorer | undefined, depth: number): Stage {
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
