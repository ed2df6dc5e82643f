import {
  faultAt,
  faultOf,
  type ImageFields,
  type ImageOperation,
  isAbsentText,
  isImageField,
  type PictureReference,
  readFormFields,
  readJsonFields,
  readReferences,
  urlsIn,
} from '../../translators/index.js';
import { checkAll, type Fetcher } from '../downloads/index.js';
import { isObject } from '../ground/index.js';
import {
  type ClientCall,
  type FormFile,
  isForm,
  type JsonBody,
  OffloadRequest,
  readForm,
  readJson,
} from '../http/index.js';
import { type GivenPicture, namedPicture, uploadedPicture } from './pictures.js';
import type { MediaServices } from './services.js';

/** A client's image request as it was read: its parameters and pictures, and the body to pass on. */
export interface ImageInput {
  readonly operation: ImageOperation;
  readonly fields: ImageFields;
  readonly images: readonly GivenPicture[];
  readonly mask?: GivenPicture;
  readonly body: { readonly json: JsonBody } | FormRest;
}

/** What a form holds beside the pictures: every text in its order, and files nobody here knows. */
export interface FormRest {
  readonly texts: readonly (readonly [string, string])[];
  readonly others: readonly FormFile[];
}

/** Reads the body of an image route. Rejects with the client's error. */
export async function readImageInput(
  gateway: MediaServices,
  call: ClientCall,
  operation: ImageOperation,
): Promise<ImageInput | OffloadRequest> {
  const { fetcher, form } = gateway.media;
  const takesForm = operation !== 'generate';
  const takesJson = operation !== 'vary';
  if (takesForm && (!takesJson || isForm(call.request.headers['content-type']))) {
    return formInput(await readForm(call.request, form), operation, fetcher);
  }
  const json = await readJson(gateway, call);
  if (json instanceof OffloadRequest) return json;
  const fields = readJsonFields(json.value, operation);
  const given = isObject(json.value) ? json.value : {};
  await checkUrls(
    fields.extras.map((name) => [name, given[name]]),
    fetcher,
  );
  if (operation === 'generate') return { operation, fields, images: [], body: { json } };
  const { images, mask } = readReferences(json.value);
  return {
    operation,
    fields,
    images: await Promise.all(images.map((reference) => pictureOf(reference, fetcher))),
    ...(mask !== undefined && { mask: await pictureOf(mask, fetcher) }),
    body: { json },
  };
}

/** What nobody here knows goes on to the backend with every URL in it. */
function checkUrls(extras: readonly (readonly [string, unknown])[], fetcher: Fetcher): Promise<void> {
  return checkAll(
    fetcher,
    extras.flatMap(([name, value]) => urlsIn(value, `/${name}`)),
  );
}

async function pictureOf(reference: PictureReference, fetcher: Fetcher): Promise<GivenPicture> {
  if ('file' in reference) return { from: 'file', path: reference.path, id: reference.file };
  return namedPicture(reference.url, reference.path, fetcher);
}

/** `image`, `image[]`, `image[3]` and their plural; `mask` and `mask[]`. */
const IMAGE = /^images?(?:\[(\d*)\])?$/;
const MASK = /^mask(?:\[\])?$/;

type Given = FormFile | string;

async function formInput(
  form: Awaited<ReturnType<typeof readForm>>,
  operation: ImageOperation,
  fetcher: Fetcher,
): Promise<ImageInput> {
  const files = form.files.map((file) => [file.name, file] as const);
  const given = form.fields.filter(([, text]) => !isAbsentText(text));
  const named: readonly (readonly [string, Given])[] = [...files, ...given];
  const images = inOrder(named.filter(([name]) => IMAGE.test(name)));
  const masks = named.filter(([name]) => MASK.test(name));
  if (masks.length > 1) throw faultOf('mask', 'duplicate_parameter', 'is given more than once');
  const texts = form.fields.filter(([name]) => !IMAGE.test(name) && !MASK.test(name));
  const others = form.files.filter(({ name }) => !IMAGE.test(name) && !MASK.test(name));
  for (const { name } of others) {
    if (isImageField(name)) throw faultOf(name, 'invalid_type', 'must be a text and no file');
  }
  const fields = readFormFields(texts, operation, images.length);
  await checkUrls(
    texts.filter(([name]) => !isImageField(name)),
    fetcher,
  );
  const pictures = images.map((given, index) =>
    takePicture(given, images.length === 1 ? '/image' : `/image/${index}`, fetcher),
  );
  const [mask] = masks;
  return {
    operation,
    fields: { ...fields, extras: [...fields.extras, ...others.map(({ name }) => name)] },
    images: await Promise.all(pictures),
    ...(mask !== undefined && { mask: await takePicture(mask[1], '/mask', fetcher) }),
    body: { texts, others },
  };
}

async function takePicture(given: Given, path: string, fetcher: Fetcher): Promise<GivenPicture> {
  if (typeof given === 'string') return namedPicture(given, path, fetcher);
  if (given.bytes === 0) throw faultAt(path, 'empty_image_file', 'the file is empty');
  return uploadedPicture(given, path);
}

/** By number where all have one, else as they came. */
function inOrder(images: readonly (readonly [string, Given])[]): Given[] {
  const numbered = images.map(([name, given]) => ({ given, index: IMAGE.exec(name)?.[1] ?? '' }));
  if (numbered.every(({ index }) => index !== '')) numbered.sort((a, b) => Number(a.index) - Number(b.index));
  return numbered.map(({ given }) => given);
}
