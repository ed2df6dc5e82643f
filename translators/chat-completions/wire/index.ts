export * from './content.js';
export * from './tools.js';
