import {
  type ComputerAction,
  type ComputerArguments,
  type Point,
  pathIn,
  pointIn,
} from '../../canonical/client-actions.js';
import type { Part, ResultPart } from '../../canonical/content.js';
import type { ClientTool } from '../../canonical/tools.js';
import { pictureSize } from '../../wire/picture-size.js';

/** Width and height in pixels. */
export interface Display {
  readonly width: number;
  readonly height: number;
}

/** What is taken for the display where nothing declares it (translation.md 2.8 "computer use"). */
export const DEFAULT_DISPLAY: Display = { width: 1024, height: 768 };

/** The size that a tool was declared with. */
export function declaredDisplay(tool: ClientTool | undefined): Display | undefined {
  const { width, height } = tool?.display ?? {};
  return width === undefined || height === undefined ? undefined : { width, height };
}

/** The size of the last picture among parts, where its bytes show it. */
export function pictured(parts: readonly Part[]): Display | undefined {
  for (let place = parts.length - 1; place >= 0; place -= 1) {
    const part = parts[place];
    const inner = part?.kind === 'result' ? pictured(part.parts) : undefined;
    if (inner !== undefined) return inner;
    if (part?.kind !== 'media' || part.class !== 'image' || part.data.from !== 'base64') continue;
    const size = pictureSize(part.data.base64);
    if (size !== undefined) return size;
  }
  return undefined;
}

/** Kinds of pictures that every service takes for a display. */
const SHOWN: ReadonlySet<string | undefined> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  undefined,
]);

/** Whether a result shows a picture that can stand for the display: others give way to a note where they are not taken. */
export function showsDisplay(result: ResultPart | undefined): boolean {
  return result?.parts.some((part) => part.kind === 'media' && part.class === 'image' && SHOWN.has(part.mime)) === true;
}

/** The same actions with their points counted in another unit. */
export function scaled(
  args: ComputerArguments,
  points: ComputerArguments['points'],
  display: Display,
): ComputerArguments {
  if (args.points === points) return args;
  const [x, y] =
    points === 'pixels' ? [display.width / 1000, display.height / 1000] : [1000 / display.width, 1000 / display.height];
  const limit = points === 'thousandths' ? 999 : Number.POSITIVE_INFINITY;
  const place = (point: Point): Point => ({
    x: Math.min(limit, Math.round(point.x * x)),
    y: Math.min(limit, Math.round(point.y * y)),
  });
  const actions = args.actions.map((action): ComputerAction => {
    const at = pointIn(action.at);
    const path = pathIn(action.path);
    const { dx, dy } = action;
    return {
      ...action,
      ...(at !== undefined && { at: place(at) }),
      ...(path.length > 0 && { path: path.map(place) }),
      ...(typeof dx === 'number' && { dx: Math.round(dx * x) }),
      ...(typeof dy === 'number' && { dy: Math.round(dy * y) }),
    };
  });
  return { ...args, actions, points };
}

/** Whether counting in another unit changes an action. */
export function hasPoints({ actions }: ComputerArguments): boolean {
  return actions.some(({ at, path, dx }) => at !== undefined || path !== undefined || dx !== undefined);
}
