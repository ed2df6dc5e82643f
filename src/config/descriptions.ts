import { TARGET_WORDS, type Words } from '../../translators/index.js';

/** What editors show of the keys that say what a model is. */
const MODEL = {
  contextWindow: 'Tokens of input and output together that the model takes; takes precedence over what its host tells.',
  maxOutput: 'The most tokens that it generates; takes precedence over its profile and its host.',
  title: 'Its name for people, in lists of models.',
  prices: 'Its prices in USD per million tokens; a price that is left out is unknown.',
  'prices.input': 'Input that is neither read from a cache nor written to it.',
  'prices.output': 'Output, reasoning included.',
  'prices.cacheRead': 'Input that was read from the cache.',
  'prices.cacheWrite': 'Input that was written to the cache, for minutes.',
  'prices.cacheWrite1h': 'Input that was written to the cache for an hour.',
  'prices.above': 'What changes for requests with more input than `tokens`; ascending.',
  'prices.above.tokens': 'Above so many tokens of input, all of it counted.',
  'prices.above.input': 'The same as `prices.input` there; what is left out stays as below.',
  'prices.above.output': 'The same as `prices.output` there.',
  'prices.above.cacheRead': 'The same as `prices.cacheRead` there.',
  'prices.above.cacheWrite': 'The same as `prices.cacheWrite` there.',
  'prices.above.cacheWrite1h': 'The same as `prices.cacheWrite1h` there.',
} as const;

/** What editors show of each key of a configuration file. Those of a map below a name are listed without the name. */
const KEYS = {
  $schema: 'Location of the schema of this file, for editors.',
  listen: 'Where the gateway listens, and who may call from web pages.',
  'listen.host':
    'Address to listen on. Without `keys` only loopback is allowed, unless `open` or `--insecure` is given.',
  'listen.port': 'Port to listen on; 0 picks a free one.',
  'listen.publicUrl':
    'Base of the URLs of stored images and videos, mount path included, where the gateway is reached elsewhere.',
  'listen.cors': 'Origins of the web pages that may call.',
  workers: 'Processes that share port, store, limits and metrics; above 1 the store must be `lmdb`, `redis` or `off`.',
  backends: 'Backend servers, by names of your choice.',
  'backends.preset':
    'A known host of this name: fills in what is missing of `dialect`, `baseUrl`, `auth`, `state`, `headers`.',
  'backends.dialect': 'Dialect of the backend; required unless a preset gives it.',
  'backends.baseUrl': 'Root of the service; a trailing `/v1` or `/v1beta` is accepted, a query goes on each call.',
  'backends.simulator': 'The built-in simulator instead of a server.',
  'backends.apiKey': `The credential; write \`\${NAME}\` for a variable of the environment, \`\${file:PATH}\` for the content of a file.`,
  'backends.auth':
    'The form of the credential; `client` forwards that of the caller, `google` and `aws` use the account of a cloud.',
  'backends.region': 'With `auth: aws`: the region that calls are signed for.',
  'backends.service': 'With `auth: aws`: the service that calls are signed for.',
  'backends.version': '`anthropic-version` of translated calls.',
  'backends.headers':
    'Headers of each call; names in `anthropic-beta` and `OpenAI-Beta` are joined with those of the call.',
  'backends.betas': 'Which beta feature names a call carries: `all`, `none` or a list.',
  'backends.stream': '`always` asks the backend for a stream and folds it for clients that want a whole answer.',
  'backends.state': 'Who keeps stored responses: the backend (`own`) or the gateway (`none`).',
  'backends.countTokens': '`native` answers 404 where the backend cannot count; `auto` estimates there.',
  'backends.cache': 'The same as `translate.cache` for this backend.',
  'backends.images': 'How the backend makes images.',
  'backends.videos': 'The format of the video tasks that the backend speaks.',
  'backends.profile': 'What its models accept: the name of a known model, or flags.',
  'backends.unsupported':
    'What the host refuses or ignores of its dialect, in place of what its preset lists; `[]` = it supports all.',
  'backends.models': 'What its models are, by their names there; a name may end in `*`. The nearest key counts.',
  'backends.domain': 'Backends of the same domain share opaque reasoning state.',
  'backends.timeouts': 'Time limits of its calls in seconds; those of `limits` unless given.',
  'backends.timeouts.connect': 'Seconds until a connection is made.',
  'backends.timeouts.firstByte': 'Seconds until the answer begins.',
  'backends.timeouts.idle': 'Seconds between two pieces of an answer.',
  'backends.timeouts.total': 'Seconds for a whole call.',
  'backends.retries': 'Retries when no connection was made.',
  'backends.concurrency': 'Calls at the same time.',
  'backends.queue': 'How many more calls wait before the next target is tried or 503 is returned.',
  'backends.breaker': 'When failures take the backend out of service for a time; `false` = never.',
  'backends.breaker.failures': 'Number of consecutive failures that take it out.',
  'backends.breaker.seconds': 'Seconds for which it is out.',
  models:
    'Names that clients use, each with a target or a list of targets that are tried in order; a name may end in `*`.',
  'models.backend': 'Name of a backend.',
  'models.model':
    "The backend's name for the model; `*` is replaced by what the `*` of the name matched. Default: the name that the client uses.",
  'models.weight': 'Targets with weights are drawn in that proportion, the others are fallbacks.',
  'models.profile':
    'What the model accepts: the name of a known model, or flags; takes precedence over that of the backend.',
  prices:
    'Where prices and windows are looked up that neither this file nor a host tells: the package `@pydantic/genai-prices`.',
  keys: 'Who may call; default: anyone on this machine.',
  'keys.name': 'Name of the caller in the log and the metrics.',
  'keys.key': 'The key, 16 characters or more; or give its digest as `sha256`.',
  'keys.sha256': 'SHA-256 of the key in hex digits.',
  'keys.models': 'Names or patterns of the models that the key may use; default: all.',
  'keys.requestsPerMinute': 'Above it 429.',
  'keys.tokensPerMinute': 'Input and output together; above it 429.',
  'keys.concurrency': 'Requests at the same time; above it 429.',
  'keys.explain':
    '`full`: the answer to `x-interlingua-explain` shows the hosts of backends; by default only the path.',
  'keys.operator': 'Whether the key may see the exchanges and the usage of all keys, and forget learned restrictions.',
  open: 'Without `keys`, admits callers from everywhere.',
  passthrough:
    'The backend of each dialect that serves routes which are not translated (embeddings, files, batches, audio), or `false`.',
  playground: 'Whether `GET /playground` is served; by default while the gateway listens on loopback.',
  losses: 'What happens to requests that a backend cannot accept without loss: `report` or `strict`.',
  'losses.policy': '`strict` refuses requests that would lose something, `report` reports what was lost.',
  'losses.allow':
    'Features that may be lost under `strict`; a trailing `*` matches a family, `agents` what coding agents can do without.',
  translate: 'Options of the translation.',
  'translate.omitMedia': 'Leave out media that a target cannot take, instead of refusing.',
  'translate.seedUser': 'Turn the instructions into a user turn when there is no other.',
  'translate.trailingState': '`emit` shows messages clients state that follows the last text.',
  'translate.cache':
    '`auto` adds cache breakpoints for clients that cannot set them, on backends that cache only at breakpoints.',
  limits: 'Sizes, times and numbers beyond which requests are refused.',
  'limits.bodyMb': 'Largest body of a request in MB.',
  'limits.uploadMb': 'Largest multipart form in MB.',
  'limits.jsonDepth': 'Deepest nesting of requests, answers and events.',
  'limits.jsonValues': 'Most values in one JSON body.',
  'limits.pathBytes': 'Longest path of a request.',
  'limits.inflateMb': 'Decompressed MB that the open requests of one key hold.',
  'limits.eventMb': 'Largest event or answer of a backend in MB.',
  'limits.headersSeconds': 'Time for the head of a request to arrive.',
  'limits.bodySeconds': 'Time for the body of a request to arrive.',
  'limits.connectSeconds': 'Time until a backend is connected.',
  'limits.firstByteSeconds': 'Time until the answer of a backend begins.',
  'limits.idleSeconds': 'Time between two pieces of the answer of a backend.',
  'limits.totalSeconds': 'Time for a whole call to a backend.',
  'limits.writeIdleSeconds': 'A client that reads nothing is disconnected after this time.',
  'limits.heartbeatSeconds': 'Silence before a heartbeat is sent to a client.',
  'limits.exchanges': 'Requests that are open at once.',
  'limits.connections': 'Sockets of clients that one process has open.',
  'limits.references': 'Stored items that one request may refer to.',
  'limits.historyMb': 'Stored conversation in MB that is loaded for one request.',
  'limits.drainSeconds': 'Time to finish after SIGTERM.',
  store: 'Where conversations are stored, and for how long.',
  'store.type':
    '`lmdb` keeps them in a folder, `redis` at a server, `memory` until the end of the process, `off` not at all.',
  'store.path': 'Folder of `lmdb`.',
  'store.url': 'Server of `redis`.',
  'store.ttlDays': 'Retention in days.',
  'store.maxMb': 'Size limit in MB: above it the key that uses most loses its oldest entries.',
  'store.entryMb': 'Largest answer that is kept, in MB.',
  media: 'Images, videos, and fetching of URLs.',
  'media.families': 'Patterns of model names by family, in front of the defaults.',
  'media.smallFileMb': 'Largest file of `img-legacy` and masks in MB.',
  'media.fileMb': 'Largest other file in MB.',
  'media.blobMinutes': 'Minutes for which images are stored behind URLs.',
  'media.blobMb': 'Size limit of all stored images in MB.',
  'media.fetch': 'Whether user-supplied URLs are fetched.',
  'media.fetchMb': 'Largest fetched file in MB.',
  'media.fetchSeconds': 'Time to fetch one.',
  'media.allowPrivate': 'Private hosts or CIDR blocks that may be fetched from.',
  'media.runningStatus': 'Status word of a running video; `auto` follows the client.',
  record: 'Recording of exchanges for `interlingua migrate`.',
  'record.path': 'File to which a line is appended for each conversation.',
  'record.content': '`false` leaves out prompts and answers.',
  'record.maxMb': 'At this size the file becomes `PATH.1`.',
  usage: 'Sums of requests, tokens and cost by hour, key and model, in the store; `{}` keeps them for 90 days.',
  'usage.keepDays': 'Days for which they are kept.',
  log: 'Lines of JSON on stderr, one per exchange.',
  'log.level': 'The lowest level that is logged.',
  'log.content': 'Whether prompts and answers are logged.',
  live: 'Keeps the last 500 exchanges in memory for `GET /live`; `false` keeps none.',
  'live.bodies': 'Keeps what was said in them too, cut at 64 kB, without secrets.',
  metrics: 'A separate listener for `/metrics`.',
  'metrics.port': 'Its port; default: `/metrics` is on the main port.',
  'metrics.host': 'Its address.',
} as const;

/** The same of the flags of a profile, which are words of the library. */
function flagTexts(words: Words, path: string): readonly (readonly [string, string])[] {
  return Object.entries(words).flatMap(([name, word]) => [
    [`${path}${name}`, word.says] as const,
    ...(word.is === 'group' ? flagTexts(word.words, `${path}${name}.`) : []),
  ]);
}

const PROFILE = /^(?:backends|models)\.profile\./;

/** By path, with neither the names of maps nor the places of lists: `backends.apiKey`, `models.profile.sampling`. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(KEYS),
  ...['models', 'backends.models'].flatMap((place) =>
    Object.entries(MODEL).map(([key, text]) => [`${place}.${key}`, text] as const),
  ),
  ['*.profile.model', 'Name of the model to start from.'],
  ...flagTexts(TARGET_WORDS, '*.profile.'),
]);

/** What editors show of the key at a path. */
export function descriptionAt(path: string): string | undefined {
  return TEXTS.get(path.replace(PROFILE, '*.profile.'));
}

/** The paths that have a text. */
export const describedPaths: readonly string[] = [...TEXTS.keys()];
