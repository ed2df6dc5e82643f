export { createLog, type Log } from './log.js';
export { describeError, type LoggedError } from './log-error.js';
export { type MetricsListener, startMetricsListener } from './metrics/listener.js';
export { createMeter, type Meter, type PassReason } from './metrics/meter.js';
export { createPrimaryMetrics } from './metrics/primary.js';
export { createRecorder, type Recorder } from './record/recorder.js';
export { type ExchangeWatch, reportExchange, reportMadeAnswer } from './report.js';
export { createTracer } from './tracing/create-tracer.js';
export type { Tracer } from './tracing/tracer.js';
