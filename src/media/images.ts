import {
  checkImageRequest,
  createFamilyOf,
  createLosses,
  faultOf,
  type ImageFamily,
  type ImageOperation,
  imageFamily,
  isFamily,
  type MediaFamilyId,
  OPEN_IMAGES,
} from '../../translators/index.js';
import type { ImagesForm } from '../dialects/index.js';
import { checkAll, type Fetched, fetchAll } from '../downloads/index.js';
import { type GenerationRequest, type OwnPlan, tryTargets } from '../exchange/index.js';
import { CallFailure } from '../ground/index.js';
import { type ClientCall, OffloadRequest, type Served } from '../http/index.js';
import { checkModelName } from '../protocol/index.js';
import { costly } from './calls.js';
import type { Wanted } from './finish.js';
import { contentImages, predictImages, type TranslatedImages } from './image-calls.js';
import { relayImages } from './image-routes.js';
import { toolImages } from './image-tool.js';
import { type ImageInput, readImageInput } from './input.js';
import { fetchedPicture, type GivenPicture, type HeldPicture, type HeldRequest, namedPicture } from './pictures.js';
import type { MediaAttempt, MediaServices } from './services.js';

/** Serves one of the image routes. Rejects with the client's error. */
export async function serveImages(
  gateway: MediaServices,
  call: ClientCall,
  operation: ImageOperation,
): Promise<Served> {
  const input = await readImageInput(gateway, call, operation);
  if (input instanceof OffloadRequest) return input;
  const { model, settings } = input.fields;
  const ask: GenerationRequest = {
    json: 'json' in input.body ? input.body.json : NO_JSON,
    model: checkModelName(model, '/model'),
    stream: settings.stream === true,
    framing: 'sse',
  };
  try {
    return await tryTargets(gateway, call, ask, noConversation, async (attempt) => {
      const plan = await planImages(attempt, input);
      return {
        ...plan,
        deliver: async (answered) => {
          try {
            await plan.deliver(answered);
          } catch (thrown) {
            throw costly(thrown);
          }
        },
      };
    });
  } catch (thrown) {
    throw thrown instanceof CallFailure && thrown.connected ? costly(thrown) : thrown;
  }
}

/** A form has no JSON, and nothing on the way of an image request looks at it. */
const NO_JSON = { value: undefined, text: '' } as const;

function noConversation(): never {
  throw new Error('an image request is not a conversation');
}

/** What one way to make pictures needs to know of a request. */
interface Plan {
  readonly input: ImageInput;
  readonly request: HeldRequest;
  /** The rules of what the client asks for, and of the model that serves it. */
  readonly family: ImageFamily;
  readonly served: ImageFamily | undefined;
  /** What the client asked for, else the default of its model's family; undefined when neither is known. */
  readonly wanted: Wanted | undefined;
  /** The client said it itself. */
  readonly said: boolean;
}

interface Way {
  /** The protocol takes pictures by their bytes only. */
  inline(input: ImageInput): boolean;
  pass(attempt: MediaAttempt, plan: Plan): OwnPlan | Promise<OwnPlan>;
}

const WAYS = {
  routes: {
    inline: ({ body }) => !('json' in body),
    pass: (attempt, plan) => relayImages(attempt, { ...plan, wanted: attempt.ask.stream ? undefined : plan.wanted }),
  },
  generateContent: { inline: () => true, pass: (attempt, plan) => contentImages(attempt, translated(plan)) },
  predict: { inline: () => false, pass: (attempt, plan) => predictImages(attempt, translated(plan)) },
  responses: {
    inline: () => false,
    pass: (attempt, plan) => toolImages(attempt, translated(plan), toolModel(attempt)),
  },
} as const satisfies Record<Exclude<ImagesForm, 'none'>, Way>;

function translated({ request, wanted, family }: Plan): TranslatedImages {
  return { request, wanted: wanted ?? family.delivers, losses: createLosses() };
}

/** A service may have the wide family too, which is called in another way (media.md 5.4). */
const WIDE: Partial<Record<ImagesForm, ImagesForm>> = { generateContent: 'predict' };

/** The way of an image request through one target. Rejects before any call when a rule is broken, or strict refuses. */
async function planImages(attempt: MediaAttempt, input: ImageInput): Promise<OwnPlan> {
  const { gateway, target, ask } = attempt;
  const { media } = gateway;
  const asked = media.familyOf(ask.model);
  const servedBy = media.familyOf(target.model);
  const family = rulesOf(asked ?? servedBy);
  const { images } = target.backend;
  const form = servedBy?.startsWith('img-wide') === true ? (WIDE[images] ?? images) : images;
  if (form === 'none') throw faultOf('model', 'invalid_value', 'the backend of this model makes no pictures');
  const way: Way = WAYS[form];
  const request = await requestFor(attempt, input, form !== 'routes', way.inline(input));
  checkImageRequest(request, family, media.files);
  const { response_format: format } = request.settings;
  const said = format === 'url' || format === 'b64_json';
  const wanted = said ? format : asked === undefined ? undefined : family.delivers;
  return way.pass(attempt, {
    input,
    request,
    family,
    served: servedBy === undefined ? undefined : rulesOf(servedBy),
    wanted,
    said,
  });
}

/** Families by the vendors' own names alone. */
const vendorFamily = createFamilyOf();

/** The target's name is that of the text model; the client's is that of the tool's model where it is one that the tool has. */
function toolModel({ ask }: MediaAttempt): string | undefined {
  const family = isFamily(ask.model) ? undefined : vendorFamily(ask.model);
  return family?.startsWith('img-multi') === true ? ask.model : undefined;
}

function rulesOf(id: MediaFamilyId | undefined): ImageFamily {
  if (id === undefined) return OPEN_IMAGES;
  const family = imageFamily(id);
  if (family === undefined) throw faultOf('model', 'invalid_value', 'this model makes no pictures');
  return family;
}

/** The request with as many of its pictures at hand as the backend's protocol needs. `named`: `input_image` is one of them. */
async function requestFor(
  { gateway, call }: MediaAttempt,
  input: ImageInput,
  named: boolean,
  inline: boolean,
): Promise<HeldRequest> {
  const { fetcher, form } = gateway.media;
  const { operation, fields, mask } = input;
  const { input_image: url } = fields.settings;
  const given: GivenPicture[] = [...input.images];
  if (url !== undefined && named) given.push(await namedPicture(url, '/input_image', fetcher));
  else if (url !== undefined) await fetcher.check(url, '/input_image');
  const remote = [...given, mask].filter((picture) => picture?.from === 'url');
  if (!inline) await checkAll(fetcher, remote);
  const fetched = inline ? await fetchAll(fetcher, call, remote, form.total, fetchedFrom) : [];
  const held = new Map(fetched.map((picture) => [picture.path, picture]));
  const at = (picture: GivenPicture): GivenPicture => held.get(picture.path) ?? picture;
  return {
    operation,
    ...(fields.prompt !== undefined && { prompt: fields.prompt }),
    settings: fields.settings,
    extras: fields.extras,
    images: given.map(at),
    ...(mask !== undefined && { mask: at(mask) }),
  };
}

function fetchedFrom(fetched: Fetched, { path }: { readonly path: string }): HeldPicture {
  return fetchedPicture(fetched, path);
}
