import type { Losses } from '../canonical/loss.js';
import { faultOf } from './fault.js';
import type { ImageSettings } from './settings.js';

/** A size as a client writes it: pixels, or a ratio. */
export interface Size {
  readonly width: number;
  readonly height: number;
  /** The numbers are a ratio and no pixels. */
  readonly ratio: boolean;
}

/** Up to this number both halves of a size are a ratio (media.md 2.1). */
const RATIO_MAX = 64;

/** Reads `1024x1024`, `16:9` or `16x9`; undefined for words and for what is no size. */
export function readSize(text: string): Size | undefined {
  const match = /^([1-9]\d{0,4})([x:])([1-9]\d{0,4})$/.exec(text);
  if (match === null) return undefined;
  const width = Number(match[1]);
  const height = Number(match[3]);
  const ratio = width <= RATIO_MAX && height <= RATIO_MAX;
  // With a colon only a ratio makes sense.
  return match[2] === ':' && !ratio ? undefined : { width, height, ratio };
}

/** The ratio `A:B` of a list that is nearest, by the logarithm of width to height, and whether it is the very same. */
export function nearestRatio(
  size: Size,
  ratios: readonly string[],
): { readonly ratio: string; readonly exact: boolean } {
  const wanted = Math.log(size.width / size.height);
  let best = ratios[0] ?? '1:1';
  let least = Number.POSITIVE_INFINITY;
  for (const ratio of ratios) {
    const [a = 1, b = 1] = ratio.split(':').map(Number);
    const distance = Math.abs(wanted - Math.log(a / b));
    if (distance < least) {
      least = distance;
      best = ratio;
    }
  }
  return { ratio: best, exact: least < 1e-9 };
}

/** The size `WxH` of a list whose shape is nearest. */
export function nearestSize(size: Size, sizes: readonly string[]): string {
  const { ratio } = nearestRatio(
    size,
    sizes.map((one) => one.replace('x', ':')),
  );
  return ratio.replace(':', 'x');
}

/** The shape that a request asks for, and the setting that says so; undefined when it leaves the shape to the model. */
export interface AskedShape {
  readonly name: 'size' | 'aspect_ratio';
  readonly text: string;
  readonly size: Size;
}

/** Throws TranslationError for what is no shape: a model that is told in other words cannot be told it. */
export function askedShape({ size, aspect_ratio: ratio }: ImageSettings): AskedShape | undefined {
  const name = ratio === undefined || ratio === 'match_input_image' ? 'size' : 'aspect_ratio';
  const text = name === 'size' ? size : ratio;
  if (text === undefined || text === 'auto') return undefined;
  const read = readSize(text);
  if (read === undefined) throw faultOf(name, 'invalid_size', 'must be WIDTHxHEIGHT, a ratio such as 16:9, or auto');
  return { name, text, size: read };
}

/** The nearest ratio to a shape, for models that are asked for one; a loss where the picture will be of another size. */
export function ratioOf({ name, size }: AskedShape, ratios: readonly string[], losses: Losses): string {
  const { ratio, exact } = nearestRatio(size, ratios);
  // One size of the class is the very one of the image routes.
  const same = exact && (size.ratio || Math.max(size.width, size.height) === 1024);
  if (!same) losses.add(`/${name}`, 'image.size', 'approximated', `asked for as the ratio ${ratio}`);
  return ratio;
}
