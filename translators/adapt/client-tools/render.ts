import {
  computerArguments,
  type FamilyCall,
  type Point,
  patchOperations,
  pointerAfter,
  pointIn,
} from '../../canonical/client-actions.js';
import type { CallPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import { type ClientToolRules, type RenderedCall, rawAction } from '../../target/client-tool-rules.js';
import { type Display, hasPoints, scaled } from './display.js';
import { APPLY_PATCH, patchText } from './patches.js';
import { bashOf } from './shells.js';

/** What the rendering of a call depends on. */
export interface RenderOptions {
  /** The dialect has this very tool; otherwise a function replaces it. */
  readonly own: boolean;
  readonly display: Display;
  readonly near: Point | undefined;
  readonly batches: boolean;
  readonly pictured: boolean;
  readonly open?: true;
}

/** A call of a built-in tool in the words of a dialect: one call or several, of its own tool or of what replaces it. */
export function renderCall(call: FamilyCall, rules: ClientToolRules, options: RenderOptions): readonly RenderedCall[] {
  switch (call.family) {
    case 'computer':
      return renderComputer(call, rules, options);
    case 'shell':
    case 'localShell':
      return rules.own[call.family] === call.family ? rules.write(call, options) : [bashOf(call)];
    case 'patch':
      if (rules.own.patch === 'patch') return rules.write(call, options);
      return [
        { name: APPLY_PATCH, args: { input: patchText(patchOperations(call)) }, poorer: 'one text holds the patch' },
      ];
    case 'bash':
    case 'editor':
    case 'memory':
    case 'browser': {
      const rendered = { name: call.name, args: call.args.value ?? {} };
      return [rules.own[call.family] === undefined ? { ...rendered, poorer: 'sent as a function call' } : rendered];
    }
  }
}

function renderComputer(call: FamilyCall, rules: ClientToolRules, options: RenderOptions): readonly RenderedCall[] {
  const args = computerArguments(call);
  const points = options.own ? rules.points : 'pixels';
  const value = scaled(args, points, options.display);
  const rendered = options.own
    ? rules.write({ ...call, args: { value: { ...value } } }, options)
    : value.actions.map((action) => ({ ...rawAction(action), poorer: 'sent as a function call' }));
  const placed = options.near !== undefined && args.actions.some(({ type }) => type === 'click');
  const rounded = args.points !== points && (placed || hasPoints(args));
  return rounded
    ? rendered.map((one) => ({ ...one, poorer: one.poorer ?? 'coordinates are converted to another unit' }))
    : rendered;
}

/** Where the pointer is after a call, counted in `points`. */
export function pointerBehind(
  call: CallPart,
  before: Point | undefined,
  points: ClientToolRules['points'],
  display: Display,
): Point | undefined {
  if (call.family !== 'computer') return before;
  let pointer = before;
  for (const action of scaled(computerArguments(call), points, display).actions)
    pointer = pointerAfter(action, pointer);
  return pointer;
}

/**
 * A call that clicks where the pointer is and types there, as typing alone: dialects that type at a place write it so, also
 * for a model that did not click.
 */
export function withoutIdleClick(
  call: FamilyCall,
  near: Point | undefined,
  points: ClientToolRules['points'],
  display: Display,
): FamilyCall {
  const args = computerArguments(call);
  const [click, text, ...more] = args.actions;
  if (near === undefined || click?.type !== 'click' || text?.type !== 'type' || more.length > 0) return call;
  const at = pointIn(scaled(args, points, display).actions[0]?.at);
  const isIdle = click.count === 1 && click.button === 'left' && at?.x === near.x && at.y === near.y;
  return isIdle ? { ...call, args: { value: { ...args, actions: [text] } } } : call;
}

/** The id of one call of several that one became; a single one keeps its id (translation.md 2.8.1). */
export function splitId(id: string, place: number, count: number): string {
  return count === 1 ? id : `${id}_${place + 1}`;
}

/** Reports what of a call is rendered worse, and what was made up for it; each thing once. */
export function reportRendered(call: FamilyCall, rendered: readonly RenderedCall[], losses: Losses): void {
  for (const poorer of new Set(rendered.map((one) => one.poorer))) {
    if (poorer !== undefined) losses.add(call, 'call.family', 'approximated', `${call.family} call: ${poorer}`);
  }
  for (const invented of new Set(rendered.map((one) => one.invented))) {
    if (invented !== undefined) losses.add(call, 'call.family', 'invented', `${call.family} call: ${invented}`);
  }
  if (call.family === 'computer' && computerArguments(call).checks === true) {
    losses.add(call, 'call.family', 'approximated', 'the safety checks that wait for consent have no counterpart');
  }
}
