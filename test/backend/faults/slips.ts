/** What slips into an answer when nobody looked: words of the language, of our files, of our own failure. */
export const SLIPS =
  /\[object |\bundefined\b|\n\s+at .*[:(]|node_modules|\.[jt]s:\d|Cannot read|is not a function|the gateway failed to handle/;
