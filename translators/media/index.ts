/** Pictures and videos: what the media routes ask and answer, and how backends are asked for the same. */
export { decodeUsage, encodeImages, encodeUsage, joinAnswers } from './answer.js';
export { checkImageRequest, type FileLimits } from './check.js';
export { decodeContentImages, encodeContentImages } from './content-images.js';
export { encodeMediaError, type MediaSurface } from './errors.js';
export { createImageFrames, type ImageFrame, type ImageFrames, isFinishedFrame } from './events.js';
export {
  createFamilyOf,
  DEFAULT_IMAGE_MODEL,
  type FamilyOf,
  type ImageFamily,
  type ImageOperation,
  imageFamily,
  isFamily,
  MEDIA_FAMILIES,
  type MediaFamilyId,
  OPEN_IMAGES,
  type PictureType,
  type VideoFamily,
  videoFamily,
} from './families.js';
export { faultAt, faultOf, unable } from './fault.js';
export {
  type ImageFields,
  isAbsentText,
  isImageField,
  type PictureReference,
  readFormFields,
  readJsonFields,
  readReferences,
} from './fields.js';
export {
  type ImageAnswer,
  type ImageManner,
  type ImageRequest,
  type ImageUsage,
  type MadeImage,
  mimeOf,
  type Picture,
  type PictureFacts,
} from './image.js';
export { decodeToolImages, encodeToolImages, type ToolCallOptions } from './image-tool.js';
export { decodePredict, encodePredict, PREDICT_MOST } from './predict.js';
export type { ImageSettings } from './settings.js';
export { readSize, type Size } from './size.js';
export { createToolStream, type ToolStream } from './tool-stream.js';
export type { VideoError, VideoFields, VideoFormat, VideoRequest, VideoSettings, VideoTask } from './video.js';
export { checkVideoRequest } from './video-check.js';
export { DEFAULT_VIDEO_MODEL, readVideoForm, readVideoJson } from './video-fields.js';
export { urlsIn } from './video-metadata.js';
export { decodeVideoOperation, encodeVideoOperation, operationMakes } from './video-operation.js';
export { encodeVideoRequestA, encodeVideoRequestB } from './video-request.js';
export type { RunningWord } from './video-status.js';
export { decodeVideoTaskA, encodeVideoTaskA, relayVideoTaskA, type VideoView } from './video-task-a.js';
export { decodeVideoTaskB, encodeVideoTaskB, relayVideoTaskB } from './video-task-b.js';
