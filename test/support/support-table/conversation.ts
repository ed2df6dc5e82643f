import {
  g,
  gAssistant,
  gCall,
  gLoop,
  gUser,
  h,
  hAssistant,
  hCall,
  hi,
  hiContent,
  hLoop,
  hUser,
  m,
  mAssistant,
  mCall,
  mLoop,
  mUser,
  PDF,
  PNG,
  r,
  rAssistant,
  rCall,
  rLoop,
  rUser,
} from './bodies.js';
import type { Area } from './probe.js';

const png = `data:image/png;base64,${PNG}`;
const mImage = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
const mDocument = (source: object, more: object = {}) => mUser({ type: 'document', source, ...more });
const loops = { messages: mLoop(), responses: rLoop(), generateContent: gLoop(), chatCompletions: hLoop() };
const assistants = {
  messages: mAssistant({ type: 'text', text: 'a' }),
  responses: rAssistant({ role: 'assistant', content: 'a' }),
  generateContent: gAssistant({ text: 'a' }),
  chatCompletions: hAssistant({ content: 'a' }),
};

/** Instructions, turns and what they hold (translation.md 2.3 to 2.6). */
export const CONVERSATION: readonly Area[] = [
  {
    name: 'Instructions and turns',
    rows: [
      { feature: 'text', says: { messages: m(), responses: r(), generateContent: g(), chatCompletions: h() } },
      {
        feature: 'system text',
        says: {
          messages: m({ system: 's' }),
          responses: r({ instructions: 's' }),
          generateContent: g({ systemInstruction: { parts: [{ text: 's' }] } }),
          chatCompletions: h({ messages: [{ role: 'system', content: 's' }, hi] }),
        },
      },
      {
        feature: 'several system texts',
        says: {
          messages: m({
            system: [
              { type: 'text', text: 's' },
              { type: 'text', text: 't' },
            ],
          }),
          responses: r({ instructions: 's', input: [{ role: 'system', content: 't' }, hi] }),
          generateContent: g({ systemInstruction: { parts: [{ text: 's' }, { text: 't' }] } }),
          chatCompletions: h({ messages: [{ role: 'system', content: 's' }, { role: 'system', content: 't' }, hi] }),
        },
      },
      {
        feature: 'developer text',
        says: {
          responses: r({ input: [{ role: 'developer', content: 's' }, hi] }),
          chatCompletions: h({ messages: [{ role: 'developer', content: 's' }, hi] }),
        },
      },
      {
        feature: 'instructions in mid-conversation',
        says: {
          messages: m({ messages: [hi, { role: 'assistant', content: 'b' }, hi, { role: 'system', content: 's' }] }),
          responses: r({ input: [hi, { role: 'assistant', content: 'b' }, { role: 'developer', content: 's' }, hi] }),
          chatCompletions: h({
            messages: [hi, { role: 'assistant', content: 'b' }, { role: 'system', content: 's' }, hi],
          }),
        },
      },
      {
        feature: 'several turns',
        says: assistants,
      },
      {
        feature: 'an answer to continue (prefill)',
        says: {
          messages: m({ messages: [hi, { role: 'assistant', content: 'It' }] }),
          generateContent: g({ contents: [hiContent, { role: 'model', parts: [{ text: 'It' }] }] }),
          chatCompletions: h({ messages: [hi, { role: 'assistant', content: 'It', prefix: true }] }),
        },
      },
      {
        feature: 'refusal in the history',
        says: {
          responses: rAssistant({
            type: 'message',
            role: 'assistant',
            content: [{ type: 'refusal', refusal: 'no' }],
          }),
          chatCompletions: hAssistant({ content: null, refusal: 'no' }),
        },
        without: assistants,
      },
      {
        feature: 'name of who speaks',
        says: { chatCompletions: h({ messages: [{ ...hi, name: 'ann' }] }) },
      },
      {
        feature: 'phase of a message',
        says: { responses: rAssistant({ role: 'assistant', content: 'a', phase: 'commentary' }) },
        without: assistants,
      },
    ],
  },
  {
    name: 'Media and documents',
    rows: [
      {
        feature: 'image, inline',
        says: {
          messages: mUser(mImage),
          responses: rUser({ type: 'input_image', image_url: png }),
          generateContent: gUser({ inlineData: { mimeType: 'image/png', data: PNG } }),
          chatCompletions: hUser({ type: 'image_url', image_url: { url: png } }),
        },
      },
      {
        feature: 'image by URL',
        says: {
          messages: mUser({ type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } }),
          responses: rUser({ type: 'input_image', image_url: 'https://a.example/a.png' }),
          generateContent: gUser({ fileData: { mimeType: 'image/png', fileUri: 'https://a.example/a.png' } }),
          chatCompletions: hUser({ type: 'image_url', image_url: { url: 'https://a.example/a.png' } }),
        },
      },
      {
        feature: 'image or file kept by the service',
        says: {
          messages: mUser({ type: 'image', source: { type: 'file', file_id: 'file_1' } }),
          responses: rUser({ type: 'input_image', file_id: 'file_1' }),
          generateContent: gUser({ fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } }),
          chatCompletions: hUser({ type: 'file', file: { file_id: 'file_1' } }),
        },
      },
      {
        feature: 'resolution of one image',
        says: {
          responses: rUser({ type: 'input_image', image_url: png, detail: 'high' }),
          generateContent: gUser({
            inlineData: { mimeType: 'image/png', data: PNG },
            mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' },
          }),
          chatCompletions: hUser({ type: 'image_url', image_url: { url: png, detail: 'high' } }),
        },
      },
      {
        feature: 'PDF, inline',
        says: {
          messages: mDocument({ type: 'base64', media_type: 'application/pdf', data: PDF }, { title: 'a.pdf' }),
          responses: rUser({
            type: 'input_file',
            filename: 'a.pdf',
            file_data: `data:application/pdf;base64,${PDF}`,
          }),
          generateContent: gUser({ inlineData: { mimeType: 'application/pdf', data: PDF } }),
          chatCompletions: hUser({
            type: 'file',
            file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
          }),
        },
      },
      {
        feature: 'PDF by URL',
        says: {
          messages: mDocument({ type: 'url', url: 'https://a.example/a.pdf' }),
          responses: rUser({ type: 'input_file', file_url: 'https://a.example/a.pdf' }),
          generateContent: gUser({ fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/a.pdf' } }),
        },
      },
      {
        feature: 'document as text',
        says: {
          messages: mDocument({ type: 'text', media_type: 'text/plain', data: 'words' }),
          generateContent: gUser({ inlineData: { mimeType: 'text/plain', data: 'd29yZHM=' } }),
        },
      },
      {
        feature: 'document with context and citations',
        says: {
          messages: mDocument(
            { type: 'base64', media_type: 'application/pdf', data: PDF },
            { title: 'a.pdf', context: 'c', citations: { enabled: true } },
          ),
        },
      },
      {
        feature: 'table file (CSV)',
        says: {
          responses: rUser({ type: 'input_file', filename: 'a.csv', file_data: 'data:text/csv;base64,YSxiCg==' }),
          generateContent: gUser({ inlineData: { mimeType: 'text/csv', data: 'YSxiCg==' } }),
          chatCompletions: hUser({
            type: 'file',
            file: { filename: 'a.csv', file_data: 'data:text/csv;base64,YSxiCg==' },
          }),
        },
      },
      {
        feature: 'search results of the client',
        says: {
          messages: mUser({
            type: 'search_result',
            source: 'https://a.example',
            title: 't',
            content: [{ type: 'text', text: 'b' }],
          }),
        },
      },
      {
        feature: 'audio',
        says: {
          generateContent: gUser({ inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } }),
          chatCompletions: hUser({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }),
        },
      },
      {
        feature: 'video',
        says: {
          generateContent: gUser({ inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }),
          chatCompletions: hUser({ type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } }),
        },
      },
    ],
  },
  {
    name: 'Tool loops',
    rows: [
      { feature: 'call and result', says: loops },
      {
        feature: 'parallel calls',
        says: {
          messages: m({
            tools: loops.messages.tools,
            messages: [
              hi,
              { role: 'assistant', content: [mCall, { ...mCall, id: 'c2' }] },
              {
                role: 'user',
                content: ['c1', 'c2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })),
              },
            ],
          }),
          responses: r({
            tools: loops.responses.tools,
            input: [
              hi,
              rCall,
              { ...rCall, call_id: 'c2' },
              ...['c1', 'c2'].map((call_id) => ({ type: 'function_call_output', call_id, output: 'r' })),
            ],
          }),
          generateContent: g({
            tools: loops.generateContent.tools,
            contents: [
              hiContent,
              { role: 'model', parts: [gCall, { functionCall: { ...gCall.functionCall, id: 'c2' } }] },
              {
                role: 'user',
                parts: ['c1', 'c2'].map((id) => ({
                  functionResponse: { id, name: 'f', response: { output: 'r' } },
                })),
              },
            ],
          }),
          chatCompletions: h({
            tools: loops.chatCompletions.tools,
            messages: [
              hi,
              { role: 'assistant', content: null, tool_calls: [hCall, { ...hCall, id: 'c2' }] },
              ...['c1', 'c2'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'r' })),
            ],
          }),
        },
        without: loops,
      },
      {
        feature: 'failed tool',
        says: { messages: mLoop({ content: 'no', is_error: true }), generateContent: gLoop({ error: 'no' }) },
        without: loops,
      },
      { feature: 'result as JSON', says: { generateContent: gLoop({ a: 1 }) }, without: loops },
      {
        feature: 'image in a result',
        says: {
          messages: mLoop({ content: [mImage] }),
          responses: rLoop([{ type: 'input_image', image_url: png }]),
          generateContent: gLoop({ output: 'r' }, { parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] }),
          chatCompletions: hLoop([{ type: 'image_url', image_url: { url: png } }]),
        },
        without: loops,
      },
      {
        feature: 'text behind the result',
        says: {
          messages: m({
            tools: loops.messages.tools,
            messages: [
              hi,
              { role: 'assistant', content: [mCall] },
              {
                role: 'user',
                content: [
                  { type: 'tool_result', tool_use_id: 'c1', content: 'r' },
                  { type: 'text', text: 'and?' },
                ],
              },
            ],
          }),
          responses: r({
            tools: loops.responses.tools,
            input: [hi, rCall, { type: 'function_call_output', call_id: 'c1', output: 'r' }, hi],
          }),
          chatCompletions: hLoop('r', hi),
        },
        without: loops,
      },
      {
        feature: 'call without its result',
        says: {
          messages: mAssistant(mCall),
          responses: rAssistant(rCall),
          generateContent: gAssistant(gCall),
          chatCompletions: hAssistant({ content: null, tool_calls: [hCall] }),
        },
        without: loops,
      },
      {
        feature: 'reasoning of the backend itself',
        says: {
          messages: mAssistant({ type: 'thinking', thinking: 't', signature: 's' }, { type: 'text', text: 'a' }),
          responses: rAssistant(
            { type: 'reasoning', summary: [{ type: 'summary_text', text: 't' }], encrypted_content: 'e' },
            { role: 'assistant', content: 'a' },
          ),
          generateContent: gAssistant({ text: 't', thought: true }, { text: 'a', thoughtSignature: 'c2ln' }),
          chatCompletions: hAssistant({ content: 'a', reasoning_content: 't' }),
        },
        without: assistants,
      },
      {
        feature: 'code that the service ran',
        says: {
          messages: mAssistant(
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: { code: 'print(1)' } },
            {
              type: 'code_execution_tool_result',
              tool_use_id: 'srvtoolu_1',
              content: { type: 'code_execution_result', stdout: '1', stderr: '', return_code: 0, content: [] },
            },
            { type: 'text', text: 'a' },
          ),
          responses: rAssistant(
            {
              type: 'code_interpreter_call',
              id: 'ci_1',
              status: 'completed',
              code: 'print(1)',
              container_id: 'cntr_1',
              outputs: [{ type: 'logs', logs: '1' }],
            },
            { role: 'assistant', content: 'a' },
          ),
          generateContent: gAssistant(
            { executableCode: { language: 'PYTHON', code: 'print(1)' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
            { text: 'a' },
          ),
        },
        without: assistants,
      },
    ],
  },
];
