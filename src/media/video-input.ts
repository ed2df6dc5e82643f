import {
  faultOf,
  readVideoForm,
  readVideoJson,
  urlsIn,
  type VideoFields,
  type VideoFormat,
} from '../../translators/index.js';
import { checkAll } from '../downloads/index.js';
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

/** A client's video request as it was read. */
export interface VideoInput {
  readonly fields: VideoFields;
  /** The picture to begin with, as it came. */
  readonly reference?: GivenPicture;
  /** The body, where it was JSON. */
  readonly json?: JsonBody;
  /** Files of a form that nobody here knows. */
  readonly others: readonly FormFile[];
}

const PICTURE: Readonly<Record<VideoFormat, RegExp>> = {
  a: /^input_reference(?:\[\])?$/,
  b: /^(?:input_reference|images?)(?:\[\])?$/,
};

/** Reads the body of a request for a video, a form or JSON. Rejects with the client's error. */
export async function readVideoInput(
  gateway: MediaServices,
  call: ClientCall,
  format: VideoFormat,
): Promise<VideoInput | OffloadRequest> {
  const { fetcher, form } = gateway.media;
  const input = isForm(call.request.headers['content-type'])
    ? await formInput(await readForm(call.request, form), format)
    : await jsonInput(gateway, call, format);
  if (input instanceof OffloadRequest) return input;
  const { fields } = input;
  const further = [['metadata', fields.metadata] as const, ...fields.extras];
  await checkAll(
    fetcher,
    further.flatMap(([name, value]) => urlsIn(value, `/${name}`)),
  );
  if (input.reference !== undefined || fields.reference === undefined) return input;
  const { reference } = fields;
  return {
    ...input,
    reference:
      'file' in reference
        ? { from: 'file', path: reference.path, id: reference.file }
        : await namedPicture(reference.url, reference.path, fetcher),
  };
}

async function jsonInput(
  gateway: MediaServices,
  call: ClientCall,
  format: VideoFormat,
): Promise<VideoInput | OffloadRequest> {
  const json = await readJson(gateway, call);
  if (json instanceof OffloadRequest) return json;
  return { fields: readVideoJson(json.value, format), json, others: [] };
}

async function formInput(form: Awaited<ReturnType<typeof readForm>>, format: VideoFormat): Promise<VideoInput> {
  const fields = readVideoForm(form.fields, format);
  const pictures = form.files.filter(({ name }) => PICTURE[format].test(name));
  const others = form.files.filter(({ name }) => !PICTURE[format].test(name));
  const [file, second] = pictures;
  if (file === undefined) return { fields, others };
  const name = file.name.replace(/\[\]$/, '');
  if (second !== undefined || fields.reference !== undefined) {
    throw faultOf(name, 'duplicate_parameter', 'only one picture is taken');
  }
  if (file.bytes === 0) throw faultOf(name, 'empty_image_file', 'the file is empty');
  return { fields, reference: uploadedPicture(file, `/${name}`), others };
}
