import type { JsonObject } from '../../canonical/node.js';
import type { ImageSettings, SafetySetting, SpeechSettings } from '../../canonical/request.js';
import { isObject } from '../../wire/json.js';
import type { Sending } from '../../wire/members.js';
import { bagOf } from '../content/media.js';
import { bagPlaces, check, DIALECT, fieldNames, fieldPtr, open, ownFields, remember, remembered } from '../nodes.js';
import * as wire from '../wire/index.js';
import type { Draft, Settled } from './settings.js';

/** The media of an answer: upper-case words on the wire. */
export function readModalities(words: readonly string[]): readonly string[] {
  return words.map((word) => word.toLowerCase());
}

export function writeModalities(words: readonly string[]): readonly string[] {
  return words.map((word) => word.toUpperCase());
}

/** Fields of `imageConfig` that only this dialect has. */
const IMAGE_OWN = ['imageOutputOptions', 'personGeneration', 'prominentPeople'] as const;
const IMAGE = fieldNames('aspectRatio', 'imageSize', ...IMAGE_OWN);

/** Reads `imageConfig`. */
export function decodeImage(value: JsonObject, { place }: Draft): ImageSettings {
  const ptr = place('imageConfig');
  const opened = open(value, IMAGE, ptr);
  const { aspectRatio, imageSize, ...others } = opened.known;
  const fields = {
    ...(typeof aspectRatio === 'string' && { aspectRatio }),
    ...(typeof imageSize === 'string' && { size: imageSize }),
  };
  const ext = bagOf(
    opened.rest,
    others,
    fields.aspectRatio === undefined && aspectRatio !== undefined ? { aspectRatio } : undefined,
    fields.size === undefined && imageSize !== undefined ? { imageSize } : undefined,
  );
  const at = {
    aspectRatio: fieldPtr(opened, 'aspectRatio', ptr),
    size: fieldPtr(opened, 'imageSize', ptr),
    ...bagPlaces(opened, ptr, IMAGE_OWN).at,
  };
  const settings: ImageSettings = { ...fields, ...(ext !== undefined && { ext }), src: { ptr, at } };
  return remember(settings, value);
}

export function encodeImage(image: ImageSettings): JsonObject {
  return remembered(image) ?? { ...image.ext?.[DIALECT], ...imageFields(image) };
}

/** What was asked for in the settings wins over the size of a tool that makes pictures. */
export function sendImage(image: ImageSettings, { context }: Sending<Settled>): JsonObject {
  return { ...context.tools.imageConfig, ...imageFields(image) };
}

function imageFields({ aspectRatio, size }: ImageSettings): JsonObject {
  return { ...(aspectRatio !== undefined && { aspectRatio }), ...(size !== undefined && { imageSize: size }) };
}

const SPEECH = fieldNames('voiceConfig', 'languageCode', 'multiSpeakerVoiceConfig');
const VOICE = fieldNames('prebuiltVoiceConfig');
const PREBUILT = fieldNames('voiceName');

/** Reads `speechConfig`. A voice that is more than a name stays in the bag. */
export function decodeSpeech(value: JsonObject, { place }: Draft): SpeechSettings {
  const ptr = place('speechConfig');
  const { known, rest } = open(value, SPEECH, ptr);
  const { voiceConfig, languageCode } = known;
  const voice = voiceNameOf(voiceConfig, ptr);
  const language = typeof languageCode === 'string' ? languageCode : undefined;
  const ext = bagOf(
    rest,
    ownFields(known, ['multiSpeakerVoiceConfig']),
    voice === undefined && voiceConfig !== undefined ? { voiceConfig } : undefined,
    language === undefined && languageCode !== undefined ? { languageCode } : undefined,
  );
  const settings: SpeechSettings = {
    ...(voice !== undefined && { voice }),
    ...(language !== undefined && { language }),
    ...(ext !== undefined && { ext }),
    src: { ptr },
  };
  return remember(settings, value);
}

function voiceNameOf(config: unknown, ptr: string): string | undefined {
  const prebuilt = onlyField(config, VOICE, ptr);
  const name = onlyField(prebuilt, PREBUILT, ptr);
  return typeof name === 'string' ? name : undefined;
}

/** The value of the one field that the object has; undefined where it has others. */
function onlyField(value: unknown, fields: ReturnType<typeof fieldNames>, ptr: string): unknown {
  if (!isObject(value)) return undefined;
  const { known, rest } = open(value, fields, ptr);
  return rest === undefined ? Object.values(known)[0] : undefined;
}

export function encodeSpeech(speech: SpeechSettings): JsonObject {
  const { voice, language, ext } = speech;
  return (
    remembered(speech) ?? {
      ...ext?.[DIALECT],
      ...(voice !== undefined && { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } }),
      ...(language !== undefined && { languageCode: language }),
    }
  );
}

const SAFETY = fieldNames('category', 'threshold');
const CATEGORY = 'HARM_CATEGORY_';

/** Reads `safetySettings`: `HARM_CATEGORY_HARASSMENT` is `harassment` in the model, `BLOCK_NONE` is `block_none`. */
export function decodeSafety(list: readonly JsonObject[], { items }: Draft): SafetySetting[] {
  const pointer = items('safetySettings');
  return list.map((setting, index) => {
    const at = pointer(index);
    const opened = open(setting, SAFETY, at);
    const { category, threshold } = check(wire.safetySetting, opened.known, at, opened.names);
    const isNamed = category.startsWith(CATEGORY);
    // A category of another form is kept beside the word for it.
    const ext = bagOf(isNamed ? opened.rest : { ...opened.rest, category });
    const words = {
      category: (isNamed ? category.slice(CATEGORY.length) : category).toLowerCase(),
      threshold: threshold.toLowerCase(),
    };
    return remember({ ...words, ...(ext !== undefined && { ext }), src: { ptr: at } }, setting);
  });
}

export function encodeSafety(list: readonly SafetySetting[]): JsonObject[] {
  return list.map((setting) => {
    const { category, threshold, ext } = setting;
    return (
      remembered(setting) ?? {
        category: `${CATEGORY}${category.toUpperCase()}`,
        threshold: threshold.toUpperCase(),
        ...ext?.[DIALECT],
      }
    );
  });
}
