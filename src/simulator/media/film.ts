/**
 * A small MP4 file (ISO base media) of a given length and size, without a frame in it: a file type, a movie with one
 * empty video track, and media data that holds the prompt.
 */
export function makeFilm(prompt: string, seconds: number, width: number, height: number): Buffer {
  const duration = Math.round(seconds * TICKS);
  const brands = Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1');
  const movie = box('moov', movieHeader(duration), box('trak', trackHeader(duration, width, height), media(duration)));
  return Buffer.concat([box('ftyp', brands), movie, box('mdat', Buffer.from(`simulated video: ${prompt}\n`))]);
}

/** Units of time in a second. */
const TICKS = 1000;
/** One, as a number with 16 bits behind the point. */
const ONE = 0x10000;
/** The identity: the picture is neither turned nor moved. */
const MATRIX = [ONE, 0, 0, 0, ONE, 0, 0, 0, 0x40000000];

function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** Numbers of 32 bits one after the other. */
function words(...numbers: readonly number[]): Buffer {
  const out = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => {
    out.writeUInt32BE(number, 4 * index);
  });
  return out;
}

function movieHeader(duration: number): Buffer {
  return box('mvhd', words(0, 0, 0, TICKS, duration, ONE, 0x01000000, 0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, 2));
}

function trackHeader(duration: number, width: number, height: number): Buffer {
  return box('tkhd', words(3, 0, 0, 1, 0, duration, 0, 0, 0, 0, ...MATRIX, width * ONE, height * ONE));
}

function media(duration: number): Buffer {
  const empty = (type: string, count: number): Buffer => box(type, words(...Array.from({ length: count }, () => 0)));
  const samples = box('stbl', empty('stsd', 2), empty('stts', 2), empty('stsc', 2), empty('stsz', 3), empty('stco', 2));
  const place = box('dinf', box('dref', words(0, 1), box('url ', words(1))));
  return box(
    'mdia',
    // The language is undetermined.
    box('mdhd', words(0, 0, 0, TICKS, duration, 0x55c40000)),
    box('hdlr', words(0, 0), Buffer.from('vide', 'latin1'), words(0, 0, 0), Buffer.from('video\0')),
    box('minf', box('vmhd', words(1, 0, 0)), place, samples),
  );
}
