export { withLeftChoice, withOfferedTools } from './choice.js';
export { fitEncodedBody, fitOwnBody, readable } from './fitting.js';
export type {
  EncodedRow,
  EncodedStep,
  HostFitting,
  HostForm,
  HostRow,
  HostStep,
  Renamed,
  WireChoice,
} from './form.js';
export { withHostMedia, withPlainMedia } from './media.js';
export { MEDIA_BELOW, MOVED_MEDIA, type ResultForm, withMediaBehind } from './results.js';
export { asksInWords, keepsOnly, leavesOut, nearsEffort, rewrites, tellsThinkingOff } from './settings.js';
export { joinsTexts } from './texts.js';
export { declaredNow, withLater, withoutTools } from './tools.js';
