import OpenAI from 'openai';
import type { ConfigInput } from '../../src/config/schema.js';
import { startContentImages } from '../support/fake-backend/media/content.js';
import { startPredict } from '../support/fake-backend/media/predict.js';
import { startImageRoutes } from '../support/fake-backend/media/routes.js';
import type { MediaFake } from '../support/fake-backend/media/server.js';
import { startImageTool } from '../support/fake-backend/media/tool.js';
import { startGateway, type TestGateway } from '../support/gateway/harness.js';

/** A gateway in front of one strict fake of each way to make pictures. */
export interface Stage {
  readonly gateway: TestGateway;
  readonly routes: MediaFake;
  readonly content: MediaFake;
  readonly tool: MediaFake;
  readonly predict: MediaFake;
  readonly client: OpenAI;
  reset(): void;
  close(): Promise<void>;
}

export async function openStage(media: ConfigInput['media'] = {}): Promise<Stage> {
  const routes = await startImageRoutes();
  const content = await startContentImages();
  const tool = await startImageTool();
  const predict = await startPredict('imagen-4.0-generate-001');
  const gateway = await startGateway({
    backends: {
      routes: { dialect: 'responses', baseUrl: routes.url, retries: 0 },
      content: { dialect: 'generateContent', baseUrl: content.url, retries: 0 },
      tool: { dialect: 'responses', baseUrl: tool.url, images: 'responses', retries: 0 },
      predict: { dialect: 'generateContent', baseUrl: predict.url, retries: 0 },
      talk: { dialect: 'messages', baseUrl: 'http://127.0.0.1:9', retries: 0 },
    },
    models: {
      'img-legacy': { backend: 'routes', model: 'dall-e-2' },
      'img-v3': { backend: 'routes', model: 'dall-e-3' },
      'img-multi': { backend: 'routes', model: 'gpt-image-1' },
      'gpt-image-1': { backend: 'routes' },
      'gemini-3.1-flash-image': { backend: 'content', model: 'gemini-image' },
      'content/img-multi': { backend: 'content', model: 'gemini-image' },
      'content/img-legacy': { backend: 'content', model: 'gemini-image' },
      'content/img-ctx': { backend: 'content', model: 'gemini-image' },
      'tool/img-multi': { backend: 'tool', model: 'gpt-text' },
      'tool/img-legacy': { backend: 'tool', model: 'gpt-text' },
      'img-wide': { backend: 'predict', model: 'imagen-4.0-generate-001' },
      talker: { backend: 'talk' },
    },
    media: {
      ...media,
      families: {
        'img-multi': ['content/img-multi', 'tool/img-multi'],
        'img-legacy': ['content/img-legacy', 'tool/img-legacy'],
        'img-ctx': ['content/img-ctx'],
      },
    },
    limits: { drainSeconds: 1 },
  });
  const fakes = [routes, content, tool, predict];
  return {
    gateway,
    routes,
    content,
    tool,
    predict,
    client: new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 }),
    reset() {
      for (const fake of fakes) fake.reset();
    },
    async close() {
      await gateway.close();
      await Promise.all(fakes.map((fake) => fake.close()));
    },
  };
}
