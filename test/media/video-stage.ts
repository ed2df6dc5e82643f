import OpenAI from 'openai';
import type { ConfigInput } from '../../src/config/schema.js';
import { startVideosA, startVideosB, VIDEO_KEY, type VideoFake } from '../support/fake-backend/media/videos.js';
import { startGateway, type TestGateway } from '../support/gateway/harness.js';

/** A gateway in front of strict fakes of the video formats. */
export interface VideoStage {
  readonly gateway: TestGateway;
  readonly a: VideoFake;
  readonly b: VideoFake;
  /** Format B in the envelope of some deployments. */
  readonly wrapped: VideoFake;
  readonly client: OpenAI;
  /** Another gateway with the same configuration. */
  second(): Promise<TestGateway>;
  /** The only video of a fake. */
  only(fake: VideoFake): { readonly id: string; readonly video: ReturnType<VideoFake['videos']['get']> };
  reset(): void;
  close(): Promise<void>;
}

export const WHO = { authorization: 'Bearer the-first-key-of-all' };
export const OTHER = { authorization: 'Bearer the-second-key-of-all' };

export async function openVideoStage(more: Partial<ConfigInput> = {}): Promise<VideoStage> {
  const a = await startVideosA();
  const b = await startVideosB();
  const wrapped = await startVideosB(true);
  const config: ConfigInput = {
    backends: {
      first: { dialect: 'responses', baseUrl: a.url, apiKey: VIDEO_KEY, retries: 1 },
      second: { dialect: 'responses', baseUrl: b.url, apiKey: VIDEO_KEY, videos: 'b', retries: 0 },
      third: { dialect: 'responses', baseUrl: wrapped.url, apiKey: VIDEO_KEY, videos: 'b', retries: 0 },
      talk: { dialect: 'messages', baseUrl: 'http://127.0.0.1:9', retries: 0 },
    },
    models: {
      'video-2': { backend: 'first', model: 'sora-2' },
      'b/video-2': { backend: 'second', model: 'wan' },
      wan: { backend: 'second', model: 'wan' },
      wrapped: { backend: 'third', model: 'wan' },
      open: { backend: 'first', model: 'other-model' },
      talker: { backend: 'talk' },
      'img-multi': { backend: 'first', model: 'gpt-image-1' },
    },
    keys: [
      { name: 'one', key: 'the-first-key-of-all' },
      { name: 'two', key: 'the-second-key-of-all' },
    ],
    media: { allowPrivate: ['127.0.0.1'], families: { 'video-2': ['b/video-2'] } },
    limits: { drainSeconds: 1 },
    ...more,
  };
  const gateway = await startGateway(config);
  const fakes = [a, b, wrapped];
  const others: TestGateway[] = [];
  return {
    gateway,
    a,
    b,
    wrapped,
    client: new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'the-first-key-of-all', maxRetries: 0 }),
    async second() {
      const other = await startGateway(config);
      others.push(other);
      return other;
    },
    only(fake) {
      const [[id, video] = ['', undefined]] = fake.videos;
      return { id, video };
    },
    reset() {
      for (const fake of fakes) {
        fake.reset();
        fake.videos.clear();
      }
    },
    async close() {
      await Promise.all([gateway, ...others].map((one) => one.close()));
      await Promise.all(fakes.map((fake) => fake.close()));
    },
  };
}
