// Errors as responses: RFC 9457 problem details, XML for DAV, or an HTML page. Maps error codes to HTTP statuses.

import { STATUS_CODES } from 'node:http';
import { AppError, type DavCondition, type ErrorCode } from '../errors.ts';
import { type AnswerHeaders, OWN_WINDOW } from './answer-head.ts';
import type { Exchange } from './exchange.ts';
import { type AnswerContent, send } from './respond.ts';

export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  not_logged_in: 401,
  forbidden: 403,
  other_account: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  misdirected_request: 421,
  locked: 423,
  too_many_requests: 429,
  headers_too_large: 431,
  not_rendered: 500,
  internal: 500,
  wrong_destination: 502,
  backend_unreachable: 502,
  backend_lost: 502,
  backend_protocol: 502,
  busy: 503,
  shared_unreachable: 503,
  backend_timeout: 504,
  insufficient_storage: 507,
};

/** problem types (RFC 9457 section 3.1.1) that programs must recognize */
const TYPE_OF: Readonly<Partial<Record<ErrorCode, string>>> = { other_account: 'urn:vestibule:other-account' };

export type LogError = (requestId: string, error: unknown) => void;

/**
 * Details of an error that is no AppError go to the log only, joined by the request id; the client gets a plain 500.
 * Logs our faults and the room server's, not the client's. Once the headers are sent, aborts the connection instead.
 */
export async function sendProblem(
  exchange: Exchange,
  error: unknown,
  logError: LogError,
  headers?: AnswerHeaders,
): Promise<void> {
  const { response } = exchange;
  if (response.destroyed && !response.headersSent) return;
  const known = error instanceof AppError ? error : undefined;
  const status = STATUS_OF[known?.code ?? 'internal'];
  if (status >= 500 && status !== 503 && known?.code !== 'wrong_destination') logError(exchange.requestId, error);
  if (response.headersSent) {
    if (!exchange.isAnswered) response.destroy();
    return;
  }
  const title = STATUS_CODES[status]!;
  const detail = known && known.code !== 'internal' ? known.message : 'An internal error occurred.';
  const all: AnswerHeaders = {
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    'Retry-After': known?.retryAfterSeconds === undefined ? undefined : Math.ceil(known.retryAfterSeconds),
    'X-Request-Id': exchange.requestId,
    ...headers,
  };
  if (known?.condition && isXmlWanted(exchange)) {
    return send(
      exchange,
      status,
      { type: 'application/xml; charset=utf-8', body: conditionDocument(known.condition, detail) },
      all,
    );
  }
  if (exchange.accepts('application/problem+json', 'application/json', 'text/html') === 'text/html') {
    const page = problemPage(status, title, detail, exchange.requestId, known?.backendCode);
    return send(exchange, status, { type: 'text/html; charset=utf-8', body: page }, { ...OWN_WINDOW, ...all });
  }
  const problem = {
    type: TYPE_OF[known?.code ?? 'internal'] ?? 'about:blank',
    title,
    status,
    detail,
    code: known?.backendCode,
    request_id: exchange.requestId,
  };
  return send(exchange, status, { type: 'application/problem+json', body: JSON.stringify(problem) }, all);
}

const XML_OR_OTHERS = ['application/xml', 'text/xml', 'application/problem+json', 'application/json', 'text/html'];

/** DAV clients do not mention errors in Accept; programs that want JSON accept it, send it, or only read. */
function isXmlWanted(exchange: Exchange): boolean {
  const isJson = /^application\/json\b/i.test(exchange.header('content-type') ?? '');
  if (isJson || exchange.method === 'GET' || exchange.method === 'HEAD') return false;
  return /xml$/.test(exchange.accepts(...XML_OR_OTHERS) ?? 'xml');
}

/** RFC 4918 section 14.5. The text is in the element that calendar servers have for it, which clients show or ignore. */
function conditionDocument({ namespace = 'DAV:', name, hrefs, isExplained }: DavCondition, detail: string): string {
  const [tag, declared] = namespace === 'DAV:' ? [`D:${name}`, ''] : [`C:${name}`, ` xmlns:C="${namespace}"`];
  const inner = hrefs.map((href) => `<D:href>${escapeHtml(href)}</D:href>`).join('');
  const condition = inner === '' ? `<${tag}${declared}/>` : `<${tag}${declared}>${inner}</${tag}>`;
  const tagged = `<T:error-description xmlns:T="${DESCRIPTION_NAMESPACE}">${escapeHtml(detail)}</T:error-description>`;
  const text = isExplained ? tagged : '';
  return `<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:">${condition}${text}</D:error>\n`;
}

const DESCRIPTION_NAMESPACE = 'http://twistedmatrix.com/xml_namespace/dav/';

/** 207 with statuses of single resources (RFC 4918 section 13) by percent-encoded path. */
export function asStatuses(statuses: readonly { href: string; status: number }[]): AnswerContent {
  const responses = statuses.map(
    ({ href, status }) =>
      `<D:response><D:href>${escapeHtml(href)}</D:href>` +
      `<D:status>HTTP/1.1 ${status} ${STATUS_CODES[status]}</D:status></D:response>\n`,
  );
  const start = '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n';
  return { type: 'application/xml; charset=utf-8', body: `${start}${responses.join('')}</D:multistatus>\n` };
}

function problemPage(
  status: number,
  title: string,
  detail: string,
  requestId: string,
  code: number | undefined,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${status} ${escapeHtml(title)}</title>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(detail)}</p>
<p><small>Status ${status}${code === undefined ? '' : `, code ${code}`}, request ${requestId}</small></p>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
