/** What a route of the image endpoints does. */
export type ImageOperation = 'generate' | 'edit' | 'vary';

/** Types of pictures, by their first bytes. */
export type PictureType = 'png' | 'jpeg' | 'webp' | 'gif';

/** What a value of a parameter may be. */
export type ParameterRule =
  | { readonly type: 'word'; readonly values: readonly string[] }
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  /** Any value of the parameter's own type. */
  | { readonly type: 'any' }
  /** An http or https URL. */
  | { readonly type: 'url' }
  /** `A:B` or `AxB` with numbers up to 64, between the two ratios of width to height. */
  | { readonly type: 'ratio'; readonly min: number; readonly max: number }
  /** One of the ratios `A:B`, also spelled `AxB`. */
  | { readonly type: 'ratios'; readonly values: readonly string[] }
  /** One of the words, or any `WIDTHxHEIGHT` within the bounds of media.md 2.2. */
  | { readonly type: 'pixels'; readonly words: readonly string[] };

/** What the pictures of a request must be. */
export interface FileRules {
  readonly types: readonly PictureType[];
  /** How many at most. */
  readonly most: number;
  /** Which of the two configured limits of size holds. */
  readonly limit: 'small' | 'large';
  readonly square: boolean;
  /** Without a mask the picture's own transparency says where to edit. */
  readonly alphaWithoutMask: boolean;
}

/** One family of image models: which routes it has and what it takes there (media.md 1, 2.1). */
export interface ImageFamily {
  readonly kind: 'image';
  readonly operations: readonly ImageOperation[];
  /** Longest prompt, in characters. Absent = not known. */
  readonly promptMax?: number;
  /** Most pictures of one request. */
  readonly most: number;
  /** What the parameters may be. Those that stand in no list here are passed over. */
  readonly takes: Readonly<Record<string, ParameterRule>>;
  /** Parameters that exist, but not for this family. */
  readonly refuses: readonly string[];
  readonly files?: FileRules;
  readonly mask: boolean;
  /** What answers hold when the client does not say: a link, or the picture itself. */
  readonly delivers: 'url' | 'b64_json';
  /** Its own service does not know `response_format`. */
  readonly fixedForm?: boolean;
}

/** One family of video models (media.md 1.5). */
export interface VideoFamily {
  readonly kind: 'video';
  readonly promptMax: number;
  readonly takes: Readonly<Record<string, ParameterRule>>;
  readonly defaults: Readonly<Record<string, string>>;
  /** Types of the reference picture, whose width and height equal `size`. */
  readonly reference: readonly PictureType[];
}

const word = (...values: string[]): ParameterRule => ({ type: 'word', values });
const integer = (min: number, max: number): ParameterRule => ({ type: 'integer', min, max });
const ANY: ParameterRule = { type: 'any' };

const FORMS = word('url', 'b64_json');
const SHARED = { response_format: FORMS, user: ANY } as const;
/** What only the family of several pictures has, but for formats, which another family has as well. */
const MULTI_ONLY = ['background', 'output_compression', 'moderation', 'stream', 'partial_images'] as const;
const LEGACY_SIZES = word('256x256', '512x512', '1024x1024');
const PHOTO: readonly PictureType[] = ['png', 'webp', 'jpeg'];

const multi = {
  kind: 'image',
  operations: ['generate', 'edit'],
  promptMax: 32_000,
  most: 10,
  takes: {
    ...SHARED,
    size: word('1024x1024', '1536x1024', '1024x1536', 'auto'),
    quality: word('low', 'medium', 'high', 'auto'),
    background: word('transparent', 'opaque', 'auto'),
    // Clients know more than these by now; who makes the picture says which it knows.
    output_format: ANY,
    output_compression: integer(0, 100),
    moderation: word('low', 'auto'),
    input_fidelity: word('high', 'low'),
    stream: ANY,
    partial_images: integer(0, 3),
  },
  refuses: ['style'],
  files: { types: PHOTO, most: 16, limit: 'large', square: false, alphaWithoutMask: false },
  mask: true,
  delivers: 'b64_json',
  fixedForm: true,
} as const satisfies ImageFamily;

const context = {
  kind: 'image',
  operations: ['generate', 'edit'],
  most: 10,
  takes: {
    ...SHARED,
    size: { type: 'ratio', min: 3 / 7, max: 7 / 3 },
    seed: ANY,
    input_image: { type: 'url' },
    aspect_ratio: word(
      ...['match_input_image', '1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '4:5', '5:4'],
      ...['21:9', '9:21', '2:1', '1:2'],
    ),
    output_format: word('png', 'jpg'),
    safety_tolerance: integer(0, 6),
    prompt_upsampling: ANY,
  },
  refuses: ['quality', 'style', ...MULTI_ONLY],
  files: { types: PHOTO, most: 16, limit: 'large', square: false, alphaWithoutMask: false },
  mask: true,
  delivers: 'url',
} as const satisfies ImageFamily;

const wide = {
  kind: 'image',
  operations: ['generate'],
  most: 10,
  takes: { ...SHARED, size: { type: 'ratios', values: ['1:1', '9:16', '16:9', '3:4', '4:3'] } },
  refuses: ['quality', 'style', 'output_format', ...MULTI_ONLY],
  mask: false,
  delivers: 'url',
} as const satisfies ImageFamily;

/** All families by their neutral names, which are model names as well. */
export const MEDIA_FAMILIES = {
  'img-legacy': {
    kind: 'image',
    operations: ['generate', 'edit', 'vary'],
    promptMax: 1000,
    most: 10,
    takes: { ...SHARED, size: LEGACY_SIZES, quality: word('standard', 'auto') },
    refuses: ['style', 'output_format', 'input_fidelity', ...MULTI_ONLY],
    files: { types: ['png'], most: 1, limit: 'small', square: true, alphaWithoutMask: true },
    mask: true,
    delivers: 'url',
  },
  'img-v3': {
    kind: 'image',
    operations: ['generate'],
    promptMax: 4000,
    most: 1,
    takes: {
      ...SHARED,
      size: word('1024x1024', '1792x1024', '1024x1792'),
      quality: word('standard', 'hd'),
      style: word('vivid', 'natural'),
    },
    refuses: ['output_format', ...MULTI_ONLY],
    mask: false,
    delivers: 'url',
  },
  'img-multi': multi,
  /** The newest generation of `img-multi`, whose sizes are free. */
  'img-multi-2': { ...multi, takes: { ...multi.takes, size: { type: 'pixels', words: ['auto'] } } },
  'img-ctx': context,
  'img-ctx-pro': context,
  'img-ctx-max': context,
  'img-wide': wide,
  'img-wide-4-standard': wide,
  'img-wide-4-ultra': wide,
  'img-wide-4-fast': wide,
  'img-wide-3-standard': wide,
  'img-wide-3-fast': wide,
  'video-2': {
    kind: 'video',
    promptMax: 32_000,
    takes: {
      seconds: word('4', '8', '12', '16', '20'),
      // The wider ones are for its higher tier, whose names do not always say so: its service decides.
      size: word('720x1280', '1280x720', '1024x1792', '1792x1024', '1080x1920', '1920x1080'),
    },
    defaults: { seconds: '4', size: '720x1280' },
    reference: ['jpeg', 'png', 'webp'],
  },
} as const satisfies Record<string, ImageFamily | VideoFamily>;

export type MediaFamilyId = keyof typeof MEDIA_FAMILIES;

/** The model of an image request that names none. */
export const DEFAULT_IMAGE_MODEL = 'img-legacy';

/** What holds for a model of no known family: the bounds that all share. */
export const OPEN_IMAGES: ImageFamily = {
  kind: 'image',
  operations: ['generate', 'edit', 'vary'],
  promptMax: 32_000,
  most: 10,
  takes: { response_format: FORMS, partial_images: integer(0, 3), output_compression: integer(0, 100) },
  refuses: [],
  files: { types: ['png', 'webp', 'jpeg', 'gif'], most: 16, limit: 'large', square: false, alphaWithoutMask: false },
  mask: true,
  delivers: 'b64_json',
};

/** The names that models of the families have at their services. */
const PATTERNS: Readonly<Record<MediaFamilyId, readonly string[]>> = {
  'img-legacy': ['dall-e-2*'],
  'img-v3': ['dall-e-3*'],
  'img-multi': ['gpt-image-1*', 'chatgpt-image-*'],
  'img-multi-2': ['gpt-image-2*'],
  'img-ctx': ['flux-kontext*', 'flux-1-kontext*', 'flux.1-kontext*'],
  'img-ctx-pro': ['flux-kontext-pro*', 'flux-1-kontext-pro*', 'flux.1-kontext-pro*'],
  'img-ctx-max': ['flux-kontext-max*', 'flux-1-kontext-max*', 'flux.1-kontext-max*'],
  'img-wide': ['imagen-*'],
  'img-wide-4-standard': ['imagen-4.0-generate*'],
  'img-wide-4-ultra': ['imagen-4.0-ultra*'],
  'img-wide-4-fast': ['imagen-4.0-fast*'],
  'img-wide-3-standard': ['imagen-3.0-generate*'],
  'img-wide-3-fast': ['imagen-3.0-fast*'],
  'video-2': ['sora-*'],
};

/** Finds the family of a model's name. */
export type FamilyOf = (model: string) => MediaFamilyId | undefined;

/**
 * A lookup of families: a neutral name is its own family; then the given patterns, then those of the vendors' names. A
 * pattern may end in `*`; the longest one that fits wins. A name counts with and without what stands before its last `/`.
 */
export function createFamilyOf(given: Readonly<Record<string, readonly string[] | undefined>> = {}): FamilyOf {
  const lists = [flatten(given), flatten(PATTERNS)];
  return (model) => {
    if (isFamily(model)) return model;
    const names = [model, model.slice(model.lastIndexOf('/') + 1)];
    for (const list of lists) {
      const found = list.find(({ pattern }) => names.some((name) => fits(pattern, name)));
      if (found !== undefined) return found.family;
    }
    return undefined;
  };
}

/** Whether a word is the name of a family. */
export function isFamily(word: string): word is MediaFamilyId {
  return Object.hasOwn(MEDIA_FAMILIES, word);
}

/** The rules of a family of image models; undefined for a family of another kind. */
export function imageFamily(id: MediaFamilyId): ImageFamily | undefined {
  const family: ImageFamily | VideoFamily = MEDIA_FAMILIES[id];
  return family.kind === 'image' ? family : undefined;
}

/** The rules of a family of video models; undefined for a family of another kind. */
export function videoFamily(id: MediaFamilyId): VideoFamily | undefined {
  const family: ImageFamily | VideoFamily = MEDIA_FAMILIES[id];
  return family.kind === 'video' ? family : undefined;
}

function flatten(map: Readonly<Record<string, readonly string[] | undefined>>) {
  return Object.entries(map)
    .flatMap(([family, patterns]) =>
      isFamily(family) ? (patterns ?? []).map((pattern) => ({ family, pattern: pattern.toLowerCase() })) : [],
    )
    .sort((a, b) => b.pattern.length - a.pattern.length);
}

function fits(pattern: string, name: string): boolean {
  const lower = name.toLowerCase();
  return pattern.endsWith('*') ? lower.startsWith(pattern.slice(0, -1)) : lower === pattern;
}
