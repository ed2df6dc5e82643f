import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Target } from '../targets/target.js';
import { readTraffic, traffic } from './state.js';

export { traffic } from './state.js';

/** A text that is longer is read as traffic: the editor shows one body. */
const MOST_TEXT = 4_000_000;

const NAMES = /\.(?:jsonl|ndjson|har|gz)$/i;

/**
 * Takes a file that was chosen or dropped. Traffic is reported on; gives the text of any other, which is for the editor. Throws where
 * the file cannot be read.
 */
export async function takeFile(file: File, targets: readonly Target[]): Promise<string | undefined> {
  if (!NAMES.test(file.name) && file.size <= MOST_TEXT) {
    const text = await file.text();
    const { recognise } = await import('../recognise/index.js');
    if (((await recognise(text)).entries ?? 1) === 1) return text;
  }
  readTraffic(file, targets);
  return undefined;
}

const Report = signal<FunctionComponent | undefined>(undefined);

/** What becomes of a file of traffic at each target, in place of the editors. */
export function TrafficReport() {
  useEffect(() => {
    void import('./report.js').then(({ ReportView }) => {
      Report.value = ReportView;
    });
  }, []);
  const View = Report.value;
  return traffic.value === undefined || View === undefined ? null : <View />;
}
