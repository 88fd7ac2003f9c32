// The allow-lists of the audit. What is not listed here is refused: whoever adds a use extends the list, and a reviewer
// sees it. Folders are those of partOf(): `http`, `extra/redis`; `main.ts` is `main`.

/** modules of Node, and the folders of src/ that may import them */
export const NODE_MODULES: Readonly<Record<string, readonly string[]>> = {
  async_hooks: ['system'],
  buffer: ['backend', 'dav', 'mime', 'render', 'system'],
  child_process: ['system', 'workers'],
  crypto: [
    'api',
    'backend',
    'dav',
    'extra/migrate',
    'extra/redis',
    'extra/resp',
    'fleet',
    'gateway',
    'html',
    'http',
    'mime',
    'room-server',
    'system',
  ],
  events: ['extra/doctor', 'extra/migrate', 'http', 'workers'],
  fs: ['backend', 'cli', 'extra/doctor', 'extra/migrate', 'gateway', 'http', 'room-server', 'system'],
  'fs/promises': ['extra/migrate', 'extra/redis', 'fleet', 'gateway', 'http', 'serve', 'system'],
  http: ['dav', 'extra/doctor', 'http'],
  module: ['system'],
  net: ['backend', 'cli', 'extra/migrate', 'extra/resp', 'fleet', 'http', 'room-server', 'system'],
  os: ['backend', 'extra/migrate', 'render'],
  path: [
    'backend',
    'cli',
    'extra/doctor',
    'extra/migrate',
    'extra/redis',
    'fleet',
    'gateway',
    'http',
    'serve',
    'system',
  ],
  perf_hooks: ['telemetry'],
  readline: ['cli'],
  sea: ['system', 'workers'],
  sqlite: ['backend', 'system'],
  stream: ['extra/migrate', 'http'],
  'timers/promises': ['backend', 'extra/redis', 'extra/resp', 'gateway', 'room-server', 'workers'],
  tls: ['backend', 'extra/doctor', 'extra/redis', 'extra/resp', 'http', 'room-server', 'system'],
  url: ['serve', 'workers'],
  util: ['cli', 'http', 'main'],
  worker_threads: ['backend', 'render', 'serve', 'system'],
  zlib: ['extra/demo', 'http', 'room-server', 'system'],
};

/** of these modules only the names below may be imported, and only by these files */
export const GUARDED_NAMES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  async_hooks: { AsyncLocalStorage: ['src/system/fair-queue.ts', 'src/system/wait-clock.ts'] },
  child_process: { execFile: ['src/system/process.ts'], spawn: ['src/workers/workers.ts'] },
  module: { SourceMap: ['src/system/assets.ts'], stripTypeScriptTypes: ['src/system/shared-modules.ts'] },
  perf_hooks: { monitorEventLoopDelay: ['src/telemetry/gateway-metrics.ts'] },
  sqlite: { DatabaseSync: ['src/backend/store/store.ts', 'src/system/folder-lock.ts'] },
  worker_threads: {
    Worker: ['src/system/assets.ts'],
    isMainThread: ['src/backend/worker.ts'],
    isMarkedAsUntransferable: ['src/render/threads.ts'],
    parentPort: ['src/backend/worker.ts', 'src/render/serve-jobs.ts'],
  },
};

/** imports that make a process or a thread: used in reviewed functions only */
export const POWERS: ReadonlySet<string> = new Set(['execFile', 'spawn', 'Worker']);
/** keys of the options that a database may be opened with: not those that let it load native extensions */
export const DATABASE_OPTIONS: ReadonlySet<string> = new Set(['timeout', 'readOnly']);

/**
 * Functions that make a process or a thread, run a script, or change a function of Node. `code`: the first 16 digits
 * of the SHA-256 of its tokens, so a change of the function is reviewed again; the audit prints the new value.
 */
export const REVIEWED_FUNCTIONS: readonly { file: string; name: string; code: string }[] = [
  { file: 'src/system/assets.ts', name: 'runScript', code: '85e6ea73e9edbd10' },
  { file: 'src/system/assets.ts', name: 'startThread', code: '924e81f559f33f1a' },
  { file: 'src/system/process.ts', name: 'notifyServiceManager', code: 'e7535c6354b4da4e' },
  { file: 'src/system/shared-modules.ts', name: 'withoutTypes', code: 'f9d6a939e8a85ba7' },
  { file: 'src/workers/workers.ts', name: '#spawn', code: '82fe02c42c492156' },
];

/** members of `process` */
export const PROCESS_MEMBERS: ReadonlySet<string> = new Set(
  (
    'argv channel connected cpuUsage env exit exitCode memoryUsage nextTick off on once pid platform send stderr ' +
    'stdin stdout uptime versions'
  ).split(' '),
);
/** members of `process` for reviewed functions only */
export const REVIEWED_PROCESS_MEMBERS: ReadonlySet<string> = new Set(
  'emitWarning execArgv execPath getBuiltinModule'.split(' '),
);
/** members of `process` that answer `process` itself: called for their effect alone, with handlers without a `this` */
export const PROCESS_EVENTS: ReadonlySet<string> = new Set(['on', 'once', 'off']);

/** members of `Object` */
export const OBJECT_MEMBERS: ReadonlySet<string> = new Set(
  'assign defineProperty entries freeze fromEntries hasOwn is keys values'.split(' '),
);

/** files that ask where they are */
export const IMPORT_META_FILES: ReadonlySet<string> = new Set([
  'src/serve/apps.ts',
  'src/system/assets.ts',
  'src/system/shared-modules.ts',
  'src/workers/workers.ts',
]);

const LANGUAGE =
  'Array Atomics Boolean Date Error Float64Array Infinity Int32Array Intl Iterator JSON Map Math NaN Number Promise ' +
  'RangeError RegExp Set String Symbol TypeError Uint8Array Uint16Array Uint32Array WeakMap WeakSet ' +
  'decodeURI decodeURIComponent encodeURI encodeURIComponent undefined';
const SHARED =
  'AbortController AbortSignal TextDecoder TextEncoder URL URLSearchParams clearInterval clearTimeout console ' +
  'performance setInterval setTimeout';

/** names of the language and of Node that sources of src/ may use without declaring them */
export const SERVER_GLOBALS: ReadonlySet<string> = new Set(
  `${LANGUAGE} ${SHARED} AsyncDisposableStack Buffer SharedArrayBuffer setImmediate`.split(' '),
);

/** names of the language and of browsers that sources of static/ may use */
export const CLIENT_GLOBALS: ReadonlySet<string> = new Set(
  (
    `${LANGUAGE} ${SHARED} Blob BroadcastChannel CSS DOMException DOMParser Element Event File FileReader FormData ` +
    'HTMLElement HTMLInputElement HTMLSelectElement HTMLTextAreaElement IntersectionObserver MutationObserver Node ' +
    'NodeFilter Notification ReadableStream Request ResizeObserver Response Text XMLSerializer addEventListener ' +
    'caches createImageBitmap crypto dispatchEvent getComputedStyle getSelection history indexedDB ' +
    'localStorage location matchMedia removeEventListener requestAnimationFrame requestIdleCallback sessionStorage'
  ).split(' '),
);

/** names of browsers for these files or folders only: they ask servers */
export const CLIENT_REQUESTS: Readonly<Record<string, readonly string[]>> = {
  EventSource: ['static/api/'],
  XMLHttpRequest: ['static/api/'],
  fetch: ['static/api/', 'static/worker.js'],
};

/** members of the objects of a browser through which everything else could be reached */
export const CLIENT_MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  document: new Set(
    (
      'activeElement addEventListener body caretPositionFromPoint createElement createElementNS createRange ' +
      'createTreeWalker documentElement elementFromPoint elementsFromPoint execCommand getElementById head ' +
      'implementation queryCommandState queryCommandValue querySelector querySelectorAll removeEventListener title ' +
      'visibilityState'
    ).split(' '),
  ),
  navigator: new Set('clearAppBadge clipboard languages locks serviceWorker setAppBadge'.split(' ')),
  window: new Set('addEventListener focus innerHeight open setInterval setTimeout'.split(' ')),
  globalThis: new Set(),
};

/** members by which markup becomes part of a page, windows are reached, or workers are made; and who may */
export const CLIENT_SINKS: Readonly<Record<string, readonly string[]>> = {
  contentDocument: [
    'static/kinds/compose/compose.js',
    'static/kinds/wiki/history.js',
    'static/kinds/wiki/page.js',
    'static/ui/message-frame.js',
    'static/ui/print-frame.js',
  ],
  contentWindow: ['static/ui/print-frame.js'],
  createContextualFragment: [],
  createElement: ['static/core/dom.js', 'static/kinds/files/archive.js', 'static/ui/editor/editor.js'],
  createElementNS: ['static/pages/log-in.js', 'static/ui/brand.js', 'static/ui/icon.js'],
  importScripts: [],
  innerHTML: [],
  insertAdjacentHTML: [],
  outerHTML: ['static/core/dom.js'],
  ownerDocument: [],
  parseHTML: [],
  parseHTMLUnsafe: [],
  register: ['static/api/worker.js'],
  sendBeacon: [],
  setHTML: [],
  setHTMLUnsafe: [],
  srcdoc: ['static/ui/message-frame.js', 'static/ui/print-frame.js'],
  writeln: [],
};
/** elements that load or run something, and who may make them */
export const CLIENT_ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  embed: [],
  frame: [],
  iframe: ['static/ui/message-frame.js', 'static/ui/print-frame.js'],
  link: ['static/kinds/calendar/reading.js', 'static/shell/stage.js', 'static/ui/editor/editor.js'],
  meta: [],
  object: [],
  script: [],
};

/** property names that lead out of what the program imports */
export const REFUSED_PROPERTIES: ReadonlySet<string> = new Set(
  (
    'NODE_OPTIONS __defineGetter__ __lookupGetter__ __proto__ _compile _linkedBinding _load allowExtension ' +
    'arguments binding callee clientCertEngine constructor createRequire dlopen enableLoadExtension execArgv getBuiltinModule ' +
    'isBuiltin loadExtension mainModule prepareStackTrace privateKeyEngine registerHooks runInContext ' +
    'runInNewContext runInThisContext setEngine setFlagsFromString'
  ).split(' '),
);

/** addresses with a host or a scheme that sources name: namespaces, and beginnings of what a user wrote */
export const ADDRESSES: ReadonlySet<string> = new Set([
  'blob:',
  'data:image/',
  'http:',
  'http://',
  'http://apple.com/ns/ical/',
  'http://calendarserver.org/ns/',
  'http://room.invalid/room/',
  'http://twistedmatrix.com/xml_namespace/dav/',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/2000/xmlns/',
  'http://www.w3.org/XML/1998/namespace',
  'https:',
  'https://',
  '//',
]);
/** tokens of synchronisation are URIs: `data:,d7` */
export const TOKEN_ADDRESS = /^data:,(?:[a-z]|more;)?$/;

/** the one import() whose module is chosen when it runs: the words of a language */
export const COMPUTED_IMPORTS: Readonly<Record<string, string>> = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
  'static/core/language.js': 'import(`../words/${language}.js`)',
};
